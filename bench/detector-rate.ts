import { DetectorService } from '../src/navigation/markers/detector-service.js';

/** Preloaded into a gateway, so that its marker detector always runs at the rate of a drive to a marker. */
const acquire = DetectorService.prototype.acquire;
DetectorService.prototype.acquire = function () {
  return acquire.call(this, 'approach');
};
