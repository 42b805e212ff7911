import { declareMessages } from '../../shared/messages/message.js';

export const fieldMessage = declareMessages('field', {
  ahead: 'obstacle {mm} mm ahead',
  behind: 'obstacle {mm} mm behind',
  left: 'obstacle {mm} mm to the left',
  right: 'obstacle {mm} mm to the right',
  front: 'a front bumper is pressed',
  rear: 'a rear bumper is pressed',
  'not-slowed': 'the motor controller did not confirm the lower speed near an obstacle or a zone',
  hint: 'Remove the obstacle, or drive in another direction.',
});
