import type { Vocabulary } from '../language.js';

/** What the live pages say by themselves: the texts in `pages/`. */
export const PAGES: Vocabulary = {
  'Connection to the gateway lost {0} ago. The cart stops by itself, at the end of its move at the latest. Trying again':
    'De verbinding met de gateway is {0} geleden weggevallen. De kar stopt vanzelf, op zijn laatst aan het eind van de rit. Er wordt opnieuw geprobeerd',
  'Your session has expired, and this page shows nothing new. Stop and E-stop still work here for {0} min.':
    'Uw sessie is verlopen en deze pagina toont niets nieuws meer. Stop en Noodstop werken hier nog {0} min.',
  'The gateway was started again at {0}. Commands from before have ended; nothing goes on by itself.':
    'De gateway is om {0} opnieuw gestart. Eerdere opdrachten zijn beëindigd; niets gaat vanzelf verder.',
  'heard {0} ago': '{0} geleden gehoord',
  'Last known {0} ago': 'Laatst bekend {0} geleden',
  'never heard': 'nooit gehoord',
  '{0} confirmed at {1}': '{0} om {1} bevestigd',
  '{0} at {1}: not confirmed by {2}. Use the button on the cart.':
    '{0} om {1}: niet bevestigd door {2}. Gebruik de knop op de kar.',
  'Stop not confirmed by {0}: use the button on the cart. Still trying':
    'Stop niet bevestigd door {0}: gebruik de knop op de kar. We blijven het proberen',
  'Cannot reach the cart from here: use the button on the cart':
    'De kar is van hier niet te bereiken: gebruik de knop op de kar',
  'Cannot reach the cart from here: use the button on the cart. Still trying':
    'De kar is van hier niet te bereiken: gebruik de knop op de kar. Er wordt nog geprobeerd',
  Stop: 'Stop',
  'E-stop': 'Noodstop',
  'Stop-only mode': 'Alleen stoppen',
  Reload: 'Opnieuw laden',
  'Hold Reset for a second, until the ring is full.': 'Houd Reset een seconde ingedrukt, tot de ring vol is.',
  'Reset the emergency stop? The cart may be driven again after that.':
    'De noodstop opheffen? Daarna mag de kar weer rijden.',
  'Reset taken. Nothing moves until the next command.':
    'Reset aangenomen. Er beweegt niets tot de volgende opdracht.',
  Sending: 'Wordt verzonden',
  'No answer from the gateway. Whether the cart took the command is not known: look at the cart.':
    'Geen antwoord van de gateway. Of de kar de opdracht heeft, is niet bekend: kijk naar de kar.',
  'Not driven': 'Niet gereden',
  'Locked. {0}': 'Vergrendeld. {0}',
  'The settings have changed: load the page again': 'De instellingen zijn gewijzigd: laad de pagina opnieuw',
  'Saved. 1 setting has changed.': 'Opgeslagen. 1 instelling is gewijzigd.',
  'Saved. {0} settings have changed.': 'Opgeslagen. {0} instellingen zijn gewijzigd.',
  'Takes effect at the next start: {0}.': 'Geldt vanaf de volgende start: {0}.',
  'Not saved. Nothing has changed.': 'Niet opgeslagen. Er is niets gewijzigd.',
  'Confirmed. The change stays.': 'Bevestigd. De wijziging blijft.',
  'Rolled back. Load the page again to see the settings.':
    'Teruggedraaid. Laad de pagina opnieuw om de instellingen te zien.',
  'The change of the settings is no longer on trial: confirmed by somebody, or rolled back. Load the page again to see the settings.':
    'De wijziging van de instellingen is niet meer op proef: iemand heeft haar bevestigd, of ze is teruggedraaid. Laad de pagina opnieuw om de instellingen te zien.',
  'No answer from the gateway. As long as nobody confirms the change, it is rolled back.':
    'Geen antwoord van de gateway. Zolang niemand de wijziging bevestigt, wordt ze teruggedraaid.',
  'No answer from the gateway. Load the page again to see what is stored.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om te zien wat er bewaard is.',
  'No changes': 'Geen wijzigingen',
  '1 change is not saved': '1 wijziging is niet opgeslagen',
  '{0} changes are not saved': '{0} wijzigingen zijn niet opgeslagen',
  'is not valid JSON': 'is geen geldige JSON',
  Connecting: 'Maakt verbinding',
  'Connected in {0} ms. These values work; they are not saved yet.':
    'Verbonden in {0} ms. Deze waarden werken; ze zijn nog niet opgeslagen.',
  'No connection: {0}': 'Geen verbinding: {0}',
  'The camera is starting': 'De camera start',
  'No response from the gateway. Retrying': 'Geen antwoord van de gateway. Er volgt een nieuwe poging',
  'This image is {0} old.': 'Dit beeld is {0} oud.',
  '{0} images/s, {1} ms old': '{0} beelden/s, {1} ms oud',
  'Taking a photo': 'De foto wordt genomen',
  'Photo taken.': 'Foto genomen.',
  'No response from the gateway. If the photo was taken, it appears after you reload the page.':
    'Geen antwoord van de gateway. Als de foto is genomen, verschijnt die nadat u de pagina opnieuw laadt.',
  'Photo deleted.': 'Foto verwijderd.',
  'Photo of {0}': 'Foto van {0}',
  'Press and hold Delete until the ring is full.': 'Houd Verwijderen ingedrukt tot de ring vol is.',
  'Delete this photo? This cannot be undone.': 'Deze foto verwijderen? Dit kan niet ongedaan worden gemaakt.',
  'One square is {0}. Counted from where the cart was switched on.':
    'Eén vak is {0}. Geteld vanaf de plek waar de kar is aangezet.',
  'Ends {0}': 'Eindigt {0}',
  'Distance and turn are 0: this is a stop': 'Afstand en draai zijn 0: dit is een stop',
  'A sketch: the true curve depends on the wheelbase': 'Een schets: de echte bocht hangt af van de wielbasis',
  '{0} ahead': '{0} verder',
  '{0} behind': '{0} naar achteren',
  '{0} to the left': '{0} naar links',
  '{0} to the right': '{0} naar rechts',
  'facing as now': 'met de neus zoals nu',
  'facing {0}': 'met de neus {0}',

  'No connection for driving by hand': 'Geen verbinding om met de hand te rijden',
  'What was driven by hand stops by itself within half a second. Trying to connect again':
    'Wat met de hand gereden werd, stopt binnen een halve seconde vanzelf. De verbinding wordt opnieuw geprobeerd',
  'Nobody drives by hand': 'Niemand rijdt met de hand',
  'You have the controls': 'U hebt de besturing',
  'You drive': 'U rijdt',
  '{0} has the controls': '{0} heeft de besturing',
  '{0} drives': '{0} rijdt',
  '{0} asks for the controls. Who has not driven for 5 s gives way.':
    '{0} vraagt om de besturing. Wie 5 s niet gereden heeft, maakt plaats.',
  'Take the controls': 'Besturing nemen',
  'Give the controls up': 'Besturing afgeven',
  'Ask for the controls': 'Om de besturing vragen',
  'Ask no more': 'Niet meer vragen',
  'By hand only {0} can be driven': 'Met de hand kan alleen {0} gereden worden',
  'the cart of this gateway': 'de kar van deze gateway',
  'Up to {0} m/s and {1}° a second: it stands 0.5 s after the last word. Stronger braking in the settings allows more.':
    'Tot {0} m/s en {1}° per seconde: de kar staat 0,5 s na het laatste woord. Sterker remmen in de instellingen staat meer toe.',
  'Lease {0}': 'Beurt {0}',
  'Lease {0}, {1} ms there and back': 'Beurt {0}, {1} ms heen en terug',
};
