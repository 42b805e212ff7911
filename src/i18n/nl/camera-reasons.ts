import type { Vocabulary } from '../language.js';

/** The camera: its states, and why it shows nothing. */
export const CAMERA_REASONS: Vocabulary = {
  off: 'uit',
  standby: 'stand-by',
  starting: 'start',
  live: 'live',
  stopping: 'stopt',
  'taking a photo': 'neemt een foto',
  'no picture': 'geen beeld',
  'the camera is switched off in the settings': 'de camera is in de instellingen uitgezet',
  'Switch on "Use the camera" on the page of the camera settings.':
    'Zet "Camera gebruiken" aan op de pagina van de camera.',
  'The camera starts when somebody looks': 'De camera start als er iemand kijkt',
  'The camera is starting': 'De camera start',
  'The camera shows what it sees': 'De camera toont wat hij ziet',
  'The camera is stopping': 'De camera stopt',
  'The camera is taking a photo. The live picture goes on after it':
    'De camera neemt een foto. Daarna gaat het livebeeld verder',
  'The camera gives no picture. It is tried again': 'De camera geeft geen beeld. Er wordt opnieuw geprobeerd',
  'the camera program said more than anybody can listen to':
    'het cameraprogramma zei meer dan iemand kan aanhoren',
  'the camera programs are not installed': 'de cameraprogramma’s zijn niet geïnstalleerd',
  'Install them: sudo apt install rpicam-apps': 'Installeer ze: sudo apt install rpicam-apps',
  'the camera program cannot be run': 'het cameraprogramma kan niet starten',
  'Check that rpicam-vid works for this user, and that its file system is not mounted noexec.':
    'Controleer of rpicam-vid voor deze gebruiker werkt, en of zijn bestandssysteem niet als noexec gekoppeld is.',
  'the gateway has no permission to use the camera': 'de gateway mag de camera niet gebruiken',
  'Add its user to the group video, then restart the service: sudo usermod -aG video <user>':
    'Zet zijn gebruiker in de groep video en herstart de dienst: sudo usermod -aG video <gebruiker>',
  'another program is using the camera': 'een ander programma gebruikt de camera',
  'Stop the other program, for example libcamera-hello or motion. This one tries again every two seconds.':
    'Stop het andere programma, bijvoorbeeld libcamera-hello of motion. Dit probeert het elke twee seconden opnieuw.',
  'the old camera system is switched on': 'het oude camerasysteem staat aan',
  'Switch "Legacy Camera" off in sudo raspi-config, then restart the Pi.':
    'Zet "Legacy Camera" uit in sudo raspi-config en herstart de Pi.',
  'no camera is connected': 'er is geen camera aangesloten',
  'Check the ribbon cable at both ends with the power off; rpicam-hello --list-cameras shows what is there.':
    'Controleer de lintkabel aan beide kanten, met de stroom uit; rpicam-hello --list-cameras toont wat er is.',
  'this machine has no camera that these programs can use':
    'deze machine heeft geen camera waar deze programma’s mee werken',
  'the camera program does not accept one of the camera settings':
    'het cameraprogramma aanvaardt een van de camera-instellingen niet',
  'Its last line names the option. Change that setting.':
    'De laatste regel noemt de optie. Wijzig die instelling.',
  'the camera has stopped giving pictures': 'de camera geeft geen beelden meer',
  'Most often this is the ribbon cable: seat it anew at both ends with the power off.':
    'Meestal is het de lintkabel: zet hem aan beide kanten opnieuw vast, met de stroom uit.',
  'the camera program could not hand over its pictures':
    'het cameraprogramma kon zijn beelden niet doorgeven',
  'Check that there is free space in the temporary directory.':
    'Controleer of er ruimte is in de tijdelijke map.',
  'the camera program {0}': 'het cameraprogramma {0}',
  aborted: 'brak af',
  'was killed': 'is gedood',
  crashed: 'is vastgelopen',
  'was ended': 'is beëindigd',
  'ended with {0}': 'eindigde met {0}',
  'ended ({0})': 'eindigde ({0})',
  'It is started again by itself.': 'Het wordt vanzelf opnieuw gestart.',
  'The camera program takes no notice of its option --codec: is it the one of rpicam-apps?':
    'Het cameraprogramma let niet op zijn optie --codec: is het dat van rpicam-apps?',
  'the camera program sends something else than JPEGs': 'het cameraprogramma stuurt iets anders dan JPEG’s',
  'the camera did not finish the photo within 12 s': 'de camera kreeg de foto niet binnen 12 s af',
  'If it still comes, it is in the gallery.': 'Als hij nog komt, staat hij bij de foto’s.',
  'the photo was not there after {0} s': 'na {0} s was de foto er niet',
  'Delete photos or other files.': 'Verwijder foto’s of andere bestanden.',
  'there is no photo of this name': 'er is geen foto met deze naam',
  'more than {0} viewers watch the camera': 'meer dan {0} kijkers kijken naar de camera',
};
