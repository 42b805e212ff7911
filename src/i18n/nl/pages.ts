import type { Vocabulary } from '../language.js';

export const PAGES: Vocabulary = {
  'Reset all carts? They can then be driven again.': 'Alle karren resetten? Daarna kunnen ze weer rijden.',
  'Connection to the gateway lost {0} ago. The cart stops by itself, no later than the end of its current move. Reconnecting':
    'De verbinding met de gateway is {0} geleden verbroken. De kar stopt vanzelf, uiterlijk aan het eind van de huidige beweging. Er wordt opnieuw verbonden',
  'Your session has expired and this page no longer updates. Stop and Stop all still work here for {0} min.':
    'Uw sessie is verlopen en deze pagina wordt niet meer bijgewerkt. Stop en Alles stoppen werken hier nog {0} min.',
  'The gateway restarted at {0}. Earlier commands have ended and will not be resumed.':
    'De gateway is om {0} herstart. Eerdere opdrachten zijn beëindigd en worden niet hervat.',
  'Last update {0} ago': 'Laatste bericht {0} geleden',
  'Status from {0} ago': 'Status van {0} geleden',
  'No data received yet': 'Nog geen gegevens ontvangen',
  'Stop confirmed by {0} at {1}': 'Stop om {1} bevestigd door {0}',
  'Stop all confirmed at {0}': 'Alles stoppen om {0} bevestigd',
  'Stop all pressed, waiting for confirmation': 'Alles stoppen ingedrukt, wacht op bevestiging',
  '{0} NOT confirmed by {1}: use the button on the cart ({2})':
    '{0} NIET bevestigd door {1}: gebruik de knop op de kar ({2})',
  '{0} NOT sent: use the button on the cart. {1}': '{0} NIET verzonden: gebruik de knop op de kar. {1}',
  '{0} NOT confirmed: use the button on the cart. The gateway does not respond.':
    '{0} NIET bevestigd: gebruik de knop op de kar. De gateway antwoordt niet.',
  '{0} NOT confirmed: use the button on the cart. The gateway does not respond. Retrying':
    '{0} NIET bevestigd: gebruik de knop op de kar. De gateway antwoordt niet. Er volgt een nieuwe poging',
  '{0} NOT confirmed at {1}. The gateway responds again: press {2} again.':
    '{0} om {1} NIET bevestigd. De gateway antwoordt weer: druk opnieuw op {2}.',
  'Stop NOT confirmed by {0}: use the button on the cart. Retrying':
    'Stop NIET bevestigd door {0}: gebruik de knop op de kar. Wordt herhaald',
  'Cannot reach the cart from here: use the button on the cart':
    'De kar is vanaf hier niet te bereiken: gebruik de knop op de kar',
  Show: 'Tonen',
  Hide: 'Verbergen',
  Copy: 'Kopiëren',
  Copied: 'Gekopieerd',
  'Copying failed. Copy the selected text.': 'Kopiëren is mislukt. Kopieer de geselecteerde tekst.',
  Stop: 'Stop',
  Drive: 'Rijden',
  'Stop all': 'Alles stoppen',
  Replace: 'Vervangen',
  'Add to queue': 'In wachtrij',
  'Hold to drive': 'Houd ingedrukt om te rijden',
  'Hold to replace': 'Houd ingedrukt om te vervangen',
  'Hold to queue': 'Houd ingedrukt voor wachtrij',
  'Stop-only mode': 'Stopmodus',
  Reload: 'Opnieuw laden',
  'Press and hold Reset until the ring is full.': 'Houd Reset ingedrukt tot de ring vol is.',
  'Press and hold Reset all until the ring is full.': 'Houd “Alles resetten” ingedrukt tot de ring vol is.',
  'Reset the cart? It can then be driven again.': 'De kar resetten? Daarna kan die weer rijden.',
  'Reset: {0}. Stationary until the next command.':
    'Gereset: {0}. De kar blijft stilstaan tot de volgende opdracht.',
  'Reset: {0}. All stationary until the next command.':
    'Gereset: {0}. De karren blijven stilstaan tot de volgende opdracht.',
  Sending: 'Wordt verzonden',
  'No response from the gateway. The cart may have received the command: check the cart.':
    'Geen antwoord van de gateway. Mogelijk heeft de kar de opdracht ontvangen: controleer de kar.',
  'Command rejected': 'Opdracht geweigerd',
  'Locked. {0}': 'Geblokkeerd. {0}',
  'The settings have changed: reload the page': 'De instellingen zijn gewijzigd: laad de pagina opnieuw',
  'Saved. 1 setting has changed.': 'Opgeslagen. 1 instelling is gewijzigd.',
  'Saved. {0} settings have changed.': 'Opgeslagen. {0} instellingen zijn gewijzigd.',
  'Not saved. Nothing has changed.': 'Niet opgeslagen. Er is niets gewijzigd.',
  'The gateway restarted and rolled the unconfirmed changes back.':
    'De gateway is herstart en heeft de onbevestigde wijzigingen teruggedraaid.',
  'Changes to {0} kept: confirmed by {1}.': 'Wijzigingen van {0} behouden: bevestigd door {1}.',
  'Changes to {0} rolled back by {1}.': 'Wijzigingen van {0} teruggedraaid door {1}.',
  'Changes to {0} rolled back: not confirmed in time.':
    'Wijzigingen van {0} teruggedraaid: niet op tijd bevestigd.',
  'No response from the gateway. If the changes are not confirmed, they will be rolled back.':
    'Geen antwoord van de gateway. Als de wijzigingen niet zijn bevestigd, worden ze teruggedraaid.',
  'No response from the gateway. Reload the page to see the stored settings.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om de opgeslagen instellingen te zien.',
  'No changes': 'Geen wijzigingen',
  '1 unsaved change': '1 niet-opgeslagen wijziging',
  '{0} unsaved changes': '{0} niet-opgeslagen wijzigingen',
  'Found: {0} in Basic, {1} in Advanced': 'Gevonden: {0} in Basis, {1} in Geavanceerd',
  Connecting: 'Verbinding maken',
  'Connected in {0} ms. The entered values work but have not been saved.':
    'Verbonden in {0} ms. Deze waarden werken, maar zijn nog niet opgeslagen.',
  'Connection failed: {0}': 'Verbinden mislukt: {0}',
  'The camera is starting': 'De camera start',
  'No response from the gateway. Retrying': 'Geen antwoord van de gateway. Er volgt een nieuwe poging',
  'This image is {0} old.': 'Dit beeld is {0} oud.',
  '{0} images/s, {1} ms old': '{0} beelden/s, {1} ms oud',
  'Enter a distance or an angle.': 'Vul een afstand of een hoek in.',
  'Press and hold the button until the ring is full.': 'Houd de knop ingedrukt tot de ring vol is.',
  'Send this command to the cart?': 'Deze opdracht naar de kar sturen?',
  "Each square is {0} wide. The cross is the cart's position at power-on; up is its heading at that time.":
    'Elk vak is {0} breed. Het kruis is de positie van de kar bij het inschakelen; boven is de koers op dat moment.',
  'End position: {0}': 'Eindpositie: {0}',
  '{0}: {1} to {2}': '{0}: {1} tot en met {2}',
  '{0}: whole numbers only': '{0}: alleen hele getallen',
  'Sketch only: the actual curve depends on the wheelbase':
    'Alleen een schets: de werkelijke bocht hangt af van de wielbasis',
  '{0} in front': '{0} voor de kar',
  '{0} at the rear': '{0} achter de kar',
  '{0} on the left': '{0} links',
  '{0} on the right': '{0} rechts',
  'none in range': 'geen binnen bereik',
  '{0} ahead': '{0} vooruit',
  '{0} behind': '{0} naar achteren',
  '{0} to the left': '{0} naar links',
  '{0} to the right': '{0} naar rechts',
  'same heading': 'dezelfde koers',
  'turned {0}': '{0} gedraaid',

  'No connection for manual drive': 'Geen verbinding voor handbediening',
  'A manually driven cart stops by itself within 0.5 s. Reconnecting':
    'Een handmatig bestuurde kar stopt vanzelf binnen 0,5 s. Er wordt opnieuw verbonden',
  'No one has control': 'Niemand heeft de besturing',
  'You have control': 'U hebt de besturing',
  'You are driving': 'U rijdt',
  '{0} has control': '{0} heeft de besturing',
  '{0} is driving': '{0} rijdt',
  '{0} is requesting control. Your control ends if you do not drive for 5 s.':
    '{0} vraagt de besturing aan. Als u 5 s niet rijdt, verliest u de besturing.',
  'Stops within {0}': 'Stopt binnen {0}',
  'Gamepad connected': 'Gamepad verbonden',
  'Take control': 'Besturing nemen',
  'Release control': 'Besturing vrijgeven',
  'Take over control': 'Besturing overnemen',
  'Request control': 'Besturing aanvragen',
  'Control passes to you when {0} has not driven for 5 s.':
    'U krijgt de besturing als {0} 5 s niet heeft gereden.',
  'Control passes to {0} first, when {1} has not driven for 5 s.':
    'Eerst krijgt {0} de besturing, als {1} 5 s niet heeft gereden.',
  'Cancel request': 'Aanvraag intrekken',
  'Manual drive is available only for {0}': 'Handbediening is alleen beschikbaar voor {0}',
  "this gateway's cart": 'de kar van deze gateway',
  'Maximum {0} m/s and {1}°/s, so that the cart stops within 0.5 s of losing contact. To raise these limits, increase the deceleration in the settings.':
    'Maximaal {0} m/s en {1}°/s, zodat de kar binnen 0,5 s na contactverlies stilstaat. Stel een hogere vertraging in om deze limieten te verhogen.',
  'Control lease {0}': 'Besturingsbeurt {0}',
  'Control lease {0}, round trip {1} ms': 'Besturingsbeurt {0}, retourtijd {1} ms',
  'Up to date': 'Actueel',
  'No response from the gateway: values are out of date':
    'Geen antwoord van de gateway: de waarden zijn verouderd',
  'Hold for 1 s to confirm.': 'Houd 1 s ingedrukt om te bevestigen.',
};
