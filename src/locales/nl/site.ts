import type { Translations } from '../../shared/messages/message.js';
import type { siteMessage } from '../../site/messages.js';

/** Also used by the scripts of the map page. */
export const LIVE_SITE_TEXTS = {
  Blocked: 'Verboden',
  'Speed limit': 'Snelheidslimiet',
  'Hand driving only': 'Alleen handmatig rijden',
  'Parking place': 'Parkeerplaats',
  'Charging place': 'Laadplaats',
  'Stopping place': 'Stopplaats',
  'Nothing stored yet': 'Nog niets opgeslagen',
  'Version {0}': 'Versie {0}',
  'There is no connection to the gateway, so these zones and places may be outdated.':
    'Er is geen verbinding met de gateway, dus deze zones en plaatsen kunnen verouderd zijn.',
  'Zones and places need a floor plan with a scale. Upload a floor plan and set its scale.':
    'Zones en plaatsen vereisen een plattegrond met een schaal. Upload een plattegrond en stel de schaal in.',
  'No zones yet.': 'Nog geen zones.',
  'No places yet.': 'Nog geen plaatsen.',
  'at most {0} mm/s': 'hoogstens {0} mm/s',
  '{0} corners': '{0} hoeken',
  '{0} m right, {1} m up': '{0} m naar rechts, {1} m omhoog',
  'heading {0}°': 'koers {0}°',
  'marker {0}': 'marker {0}',
  'only for cart {0}': 'alleen voor kar {0}',
  'Edit {0}': '{0} bewerken',
  'Zone {0}': 'Zone {0}',
  'New place {0}': 'Nieuwe plaats {0}',
  'Tap the map to add corners.': 'Tik op de kaart om hoeken toe te voegen.',
  'Tap the map to add corners. Tap the first corner to close the shape.':
    'Tik op de kaart om hoeken toe te voegen. Tik op de eerste hoek om de vorm te sluiten.',
  'Drag a corner to move it. Tap a small dot to add a corner there.':
    'Sleep een hoek om hem te verplaatsen. Tik op een stip om daar een hoek toe te voegen.',
  'Corner {0} is selected.': 'Hoek {0} is geselecteerd.',
  'Tap the map or drag the symbol to move the place. Drag the arrow to turn it.':
    'Tik op de kaart of sleep het symbool om de plaats te verplaatsen. Sleep de pijl om de richting te wijzigen.',
  '{0} of corner {1}': '{0} van hoek {1}',
  'Insert a corner after corner {0}': 'Hoek invoegen na hoek {0}',
  'Delete corner {0}': 'Hoek {0} verwijderen',
  'Enter a number.': 'Vul een getal in.',
  'Not saved. Correct the marked fields.': 'Niet opgeslagen. Verbeter de gemarkeerde velden.',
  Saving: 'Bezig met opslaan',
  '{0} saved. The plan has version {1}.': '{0} is opgeslagen. Het plan heeft versie {1}.',
  '{0} deleted. The plan has version {1}.': '{0} is verwijderd. Het plan heeft versie {1}.',
  'Confirmed. The plan has version {0}.': 'Bevestigd. Het plan heeft versie {0}.',
  'Not saved. {0}': 'Niet opgeslagen. {0}',
  'The gateway does not respond. Try again.': 'De gateway antwoordt niet. Probeer het opnieuw.',
  'The plan was changed by another user or in another window. The map shows the new version, and your draft is kept.':
    'Het plan is gewijzigd door een andere gebruiker of in een ander venster. De kaart toont de nieuwe versie en het concept is bewaard.',
  'Save adds your draft to the new version.': 'Opslaan voegt het concept toe aan de nieuwe versie.',
  'This item was changed there as well: Save replaces that change.':
    'Ook dit onderdeel is daar gewijzigd: Opslaan vervangt die wijziging.',
  'This item was deleted there: Save adds it again.':
    'Dit onderdeel is daar verwijderd: Opslaan voegt het opnieuw toe.',
  'The plan was changed by another user or in another window. Check the new version, then try again.':
    'Het plan is gewijzigd door een andere gebruiker of in een ander venster. Controleer de nieuwe versie en probeer het opnieuw.',
  'Replace all stored items of this kind with the file?':
    'Alle opgeslagen onderdelen van deze soort door het bestand vervangen?',
  'Press and hold the button until the ring is full.': 'Houd de knop ingedrukt tot de ring vol is.',
  'Select a file first.': 'Kies eerst een bestand.',
  'The file could not be exported. Zones and places must be confirmed on the current floor plan.':
    'Het bestand kon niet worden geëxporteerd. Zones en plaatsen moeten op de huidige plattegrond zijn bevestigd.',
  'First save or cancel the zone or place that you are editing.':
    'Sla eerst de zone of plaats op die wordt bewerkt, of annuleer die.',
  'Delete it? This cannot be undone.': 'Verwijderen? Dit kan niet ongedaan worden gemaakt.',
  'Press and hold Delete until the ring is full.': 'Houd Verwijderen ingedrukt tot de ring vol is.',
};

export const SITE_TEXTS = {
  'Zones and places': 'Zones en plaatsen',
  Settings: 'Instellingen',
  'Zones are an aid for the layout, not a safety function.':
    'Zones zijn een hulpmiddel voor de indeling, geen veiligheidsfunctie.',
  'The floor plan was changed after the zones and places were drawn. Check them on the map, correct them, and confirm them.':
    'De plattegrond is gewijzigd nadat de zones en plaatsen zijn getekend. Controleer ze op de kaart, verbeter ze en bevestig ze.',
  'The floor plan differs from the one of the gateway that has published the zones and places. Until it is the same, the cart drives only by hand, at most at 100 mm/s. Upload the same floor plan, and set the same scale.':
    'De plattegrond is een andere dan die van de gateway die de zones en plaatsen heeft gepubliceerd. Tot de plattegronden gelijk zijn, rijdt de kar alleen met de hand, hoogstens 100 mm/s. Upload dezelfde plattegrond en stel dezelfde schaal in.',
  'The zones and places differ from those that were saved last, because the database was replaced or restored, or has lost changes. Until they are confirmed, the cart drives only by hand, at most at 100 mm/s. Check the zones on the map, correct them, and confirm them. Places can be changed afterwards.':
    'De zones en plaatsen verschillen van wat het laatst is opgeslagen, doordat de database is vervangen of teruggezet of wijzigingen heeft verloren. Tot ze zijn bevestigd, rijdt de kar alleen met de hand en hoogstens 100 mm/s. Controleer en verbeter de zones op de kaart en bevestig ze. Plaatsen zijn daarna weer te wijzigen.',
  'The zones and places have not been received from the gateway that owns them. Until then, the cart drives only by hand, at most at 100 mm/s.':
    'De zones en plaatsen zijn niet ontvangen van de gateway die er eigenaar van is. Tot dat gebeurt, rijdt de kar alleen met de hand, hoogstens 100 mm/s.',
  'An administrator must check them on the map and confirm them.':
    'Een beheerder moet ze op de kaart controleren en bevestigen.',
  'Confirm zones and places': 'Zones en plaatsen bevestigen',
  Legend: 'Legenda',
  Zones: 'Zones',
  Places: 'Plaatsen',
  'Add a zone': 'Zone toevoegen',
  'Add a place': 'Plaats toevoegen',
  'Close shape': 'Vorm sluiten',
  Undo: 'Ongedaan maken',
  Kind: 'Soort',
  Purpose: 'Doel',
  Name: 'Naam',
  'Maximum speed': 'Maximumsnelheid',
  'mm/s': 'mm/s',
  Corners: 'Hoeken',
  'Metres to the right (x) and up (y) from the lower left corner of the floor plan.':
    'Meters naar rechts (x) en omhoog (y) vanaf de linkerbenedenhoek van de plattegrond.',
  'Add a corner': 'Hoek toevoegen',
  Insert: 'Invoegen',
  Delete: 'Verwijderen',
  'Delete zone': 'Zone verwijderen',
  'Delete place': 'Plaats verwijderen',
  x: 'x',
  y: 'y',
  Right: 'Rechts',
  Up: 'Omhoog',
  Heading: 'Koers',
  'The marker at which the cart docks.': 'De marker waarbij de kar dokt.',
  'From the lower left corner of the floor plan.': 'Vanaf de linkerbenedenhoek van de plattegrond.',
  'Counterclockwise; 0 points to the right.': 'Linksom; 0 wijst naar rechts.',
  'GeoJSON files': 'GeoJSON-bestanden',
  'Export zones': 'Zones exporteren',
  'Export places': 'Plaatsen exporteren',
  'The file replaces all zones or all places.': 'Het bestand vervangt alle zones of alle plaatsen.',
  'Replace zones': 'Zones vervangen',
  'Replace places': 'Plaatsen vervangen',
  File: 'Bestand',
  'Zones are drawn on the floor plan, so only an administrator can change it.':
    'Er zijn zones op de plattegrond getekend, dus alleen een beheerder kan hem wijzigen.',
  'Only administrators can change zones and places.': 'Alleen beheerders kunnen zones en plaatsen wijzigen.',
  'Switch zones on': 'Zones inschakelen',
  'Switch zones off': 'Zones uitschakelen',
  'Switch zones off for 60 s…': 'Zones 60 s uitschakelen…',
  'For 60 s, you can drive by hand through zones, at up to 0.1 m/s.':
    'U kunt 60 s lang met de hand door zones rijden, met hoogstens 0,1 m/s.',
  'The ellipse around a cart is the uncertainty of its position (three standard deviations). The dashed outline is its stopping distance.':
    'De ellips om een kar is de onzekerheid van zijn positie (drie standaardafwijkingen). De streeplijn is zijn remweg.',
};

export const SITE_SETTINGS = {
  'Margin around the cart': 'Marge rond de kar',
  'Distance that the cart keeps from zones, in addition to the uncertainty of its position: for inaccurate driving and as a reserve.':
    'Afstand die de kar tot zones houdt, boven op de onzekerheid van zijn positie: voor onnauwkeurig rijden en als reserve.',
  'Owner of the site plan': 'Eigenaar van de zones en plaatsen',
  'Number of the cart whose gateway publishes its zones and places to all gateways with this setting. Each of these gateways needs the site key and the same floor plan. 0: this gateway uses only its own zones and places.':
    'Nummer van de kar waarvan de gateway zijn zones en plaatsen publiceert voor alle gateways met deze instelling. Elk van deze gateways heeft de sitesleutel en dezelfde plattegrond nodig. 0: deze gateway gebruikt alleen zijn eigen zones en plaatsen.',
};

export const SITE_MESSAGES = {
  'site.zone': 'zone "{id}": {fault}',
  'site.corner': 'zone "{id}", hoek {corner}: {fault}',
  'site.place': 'plaats "{id}": {fault}',
  'site.duplicate-id': 'hetzelfde ID komt meer dan eens voor',
  'site.too-few-vertices': 'er zijn {count} hoeken; het minimum is {limit}',
  'site.too-many-vertices': 'er zijn {count} hoeken; het maximum is {limit}',
  'site.not-a-number': 'de positie is geen getal',
  'site.repeated-vertex': 'de positie is dezelfde als die van de vorige hoek',
  'site.self-intersection': 'de rand die bij deze hoek begint, raakt een andere rand van de zone',
  'site.speed-missing': 'een zone van het type SPEED_LIMIT moet maxSpeedMmps hebben',
  'site.speed-not-allowed': 'alleen een zone van het type SPEED_LIMIT mag maxSpeedMmps hebben',
  'site.outside': '{axis} moet tussen 0 en {limit} mm liggen, binnen de plattegrond',
  'site.too-many-zones': 'er zijn {count} zones; het maximum is {limit}',
  'site.too-many-places': 'er zijn {count} plaatsen; het maximum is {limit}',
  'site.too-many-corners': 'de zones hebben samen {count} hoeken; het maximum is {limit}',
  'site.changed': 'de zones, de plaatsen of de plattegrond zijn intussen gewijzigd',
  'site.changed-hint': 'Laad de huidige versie en breng je wijziging opnieuw aan.',
  'site.no-version': 'de header If-Match ontbreekt',
  'site.no-version-hint': 'Stuur de ETag mee van de versie die je hebt gelezen.',
  'site.no-floor-plan': 'er is geen plattegrond met een schaal',
  'site.no-floor-plan-hint': 'Upload eerst een plattegrond en stel de schaal in.',
  'site.needs-review': 'de plattegrond is gewijzigd nadat de zones en plaatsen zijn getekend',
  'site.needs-review-hint': 'Controleer de zones en plaatsen op de nieuwe plattegrond en bevestig ze.',
  'site.plan-locked': 'er zijn zones op de plattegrond getekend, dus alleen een beheerder kan hem wijzigen',
  'site.plan-locked-hint': 'Log in als beheerder.',
  'site.moving': 'de kar rijdt, en de zones hangen af van zijn positie',
  'site.moving-hint': 'Stop eerst de kar.',
  'site.data-lost':
    'de zones en plaatsen verschillen van wat het laatst is opgeslagen, doordat de database is vervangen of teruggezet of wijzigingen heeft verloren',
  'site.data-lost-hint':
    'Controleer en verbeter de zones op de kaart en bevestig ze. Plaatsen en routes zijn daarna weer te wijzigen.',
  'site.not-recorded': 'de zones en plaatsen kunnen niet worden opgeslagen: {reason}',
  'site.other-floor-plan': 'de plattegrond is een andere dan die van de zones en plaatsen',
  'site.other-floor-plan-hint':
    'Upload de plattegrond waarop de zones en plaatsen zijn getekend, en stel dezelfde lijn en lengte voor de schaal in.',
  'site.not-received': 'de zones en plaatsen zijn niet ontvangen van de gateway die er eigenaar van is',
  'site.not-received-hint':
    'Controleer of de zones en plaatsen op die gateway zijn opgeslagen en bevestigd, en of beide gateways dezelfde sitesleutel hebben.',
  'site.other-owner': 'de gateway van kar {cartID} is eigenaar van de zones en plaatsen',
  'site.other-owner-hint': 'Wijzig de zones en plaatsen op gateway {gatewayId} ({name}): {url}',
  'site.unknown-owner-hint': 'Wijzig de zones en plaatsen op de gateway van kar {cartID}.',
  'site.no-site-key': 'site.planOwner is ingesteld, maar deze gateway heeft geen sitesleutel',
  'site.too-large':
    'de zones en plaatsen zijn samen groter dan {limit} kB en worden daarom niet gepubliceerd',
  'site.behind':
    'versie {version} van de zones en plaatsen is ouder dan versie {published} van de andere gateways; sla ze op of bevestig ze om ze opnieuw te publiceren',
  'site.not-loaded': 'de zones zijn niet geladen',
  'site.no-odometry':
    'de driver van de motorcontroller meet de gereden afstand niet, dus zones kunnen niet worden gehandhaafd',
  'site.no-odometry-hint': 'Gebruik een controller met CGW1 of JSON-regels, of verwijder de zones.',
  'site.steered': 'zones kunnen alleen worden gehandhaafd voor een kar met differentieelaandrijving',
  'site.steered-hint': 'Verwijder de zones, of zet het type aandrijving op differentieel.',
  'site.no-footprint': 'de omtrek van de kar is niet ingesteld, dus zones kunnen niet worden gehandhaafd',
  'site.no-footprint-hint': 'Stel de hoeken van de omtrek in bij de instellingen, onder Kinematica.',
  'site.blocked': 'zone "{name}" blokkeert de weg na {mm} mm',
  'site.blocked-hint': 'Kies een andere weg. Staat de kar in de zone, rijd hem er dan met de hand uit.',
  'site.manual-only': 'in zone "{name}" mag alleen met de hand worden gereden; de zone begint na {mm} mm',
  'site.manual-only-hint': 'Kies een andere weg, of rijd met de hand door de zone.',
  'site.pose-lost': 'de positie op de plattegrond is onbekend, dus zones kunnen niet worden gehandhaafd',
  'site.pose-lost-hint':
    'Stel de positie in op de kaart, of rijd met de hand tot de camera een marker ziet. Met de hand rijdt de kar hoogstens 100 mm/s.',
  'site.switched-off': 'de zones zijn uitgeschakeld terwijl de kar reed',
  'site.switched-off-hint': 'Laat de bediening los en rijd dan langzaam verder.',
  'site.not-switched-off': 'de zones blijven aan, omdat een later verzoek of een stop voorging',
  'site.not-enforced': 'zones worden niet gehandhaafd: {reason}',
  'site.position-lost': 'positie onbekend: zones worden niet gehandhaafd',
  'site.position-coarse': 'de positie is onnauwkeurig: vanwege de zones rijdt de kar hoogstens 100 mm/s',
  'site.overridden': 'zones zijn uitgeschakeld door {name}: {reason}',
  'site.leg': 'deel {leg}: {fault}',
  'site.route': 'route "{id}": {fault}',
  'site.too-many-routes': 'er zijn {count} routes; het maximum is {limit}',
  'site.too-many-legs': 'de routes hebben samen {count} delen; het maximum is {limit}',
  'site.action-missing': 'bij de actie {kind} hoort {field}',
  'site.action-not-allowed': 'bij de actie {kind} mag {field} niet worden opgegeven',
  'site.no-run': 'er is geen rit met ID {id}',
  'site.no-route': 'er is geen route met ID {id}',
  'site.other-cart': 'deze gateway kan routes alleen met kar {cartID} rijden',
  'site.route-of-cart': 'de route is alleen voor kar {cartID}',
  'site.no-leg': 'deel {leg} bestaat niet; het laatste deel is {limit}',
  'site.run-open': 'een andere rit is nog niet afgelopen',
  'site.run-open-hint': 'Rijd de andere rit verder of breek die eerst af.',
  'site.run-ended': 'de rit is al afgelopen: {state}',
  'site.run-cancelled': 'afgebroken door {name}',
  'site.run-paused': 'gepauzeerd door {name}',
  'site.run-handed-over': '{name} heeft de bediening overgenomen',
  'site.run-shutdown': 'de gateway werd afgesloten',
  'site.run-restarted': 'de gateway is opnieuw gestart',
  'site.run-hold-released': 'de bediening werd losgelaten',
  'site.run-obstacle': 'er staat een obstakel in de weg',
  'site.run-waits': 'de route wacht hier op een bediener',
  'site.run-hold-lost': 'de bediening werd 10 s lang niet vastgehouden',
  'site.run-timeout': 'de rit werd 15 minuten lang niet voortgezet',
  'site.run-off-route':
    'de kar is meer dan 150 mm naast de route, of kan het einde van het deel niet bereiken',
  'site.run-pose-lost': 'de positie op de plattegrond is kwijt',
  'site.run-stopped': 'de beweging werd gestopt',
  'site.not-at-start':
    'de kar is {mm} mm en {deg} graden van het begin verwijderd; het maximum is {maxMm} mm en {maxDeg} graden',
  'site.not-at-start-hint':
    'Rijd de kar met de hand naar het begin, of begin bij een deel dat dichterbij is.',
  'site.route-not-closed':
    'de route kan niet worden herhaald, want die eindigt {mm} mm van het begin; het maximum is {maxMm} mm',
  'site.leg-blocked': 'deel {leg} loopt na {mm} mm een zone in',
  'site.leg-blocked-hint': 'Wijzig de route of de zone, of begin bij een later deel.',
  'site.teaching-already': 'er wordt al een route opgenomen',
  'site.teaching-none': 'er wordt geen route opgenomen',
  'site.teaching-not-driven': 'er is niet met de kar gereden',
  'site.teaching-lost': 'de positie op de plattegrond raakte kwijt tijdens het opnemen van de route',
  'site.teaching-too-long': 'de opname is langer dan {minutes} minuten of {metres} m',
  'site.geojson': 'het GeoJSON-bestand moet een FeatureCollection zijn',
  'site.geojson-feature': 'feature {feature}: {fault}',
  'site.not-a-feature': 'het type moet Feature zijn',
  'site.geojson-polygon': 'de geometrie moet een Polygon met één gesloten ring en zonder gaten zijn',
  'site.geojson-point': 'de geometrie moet een Point met de coördinaten [lengtegraad, breedtegraad] zijn',
} satisfies Translations<typeof siteMessage>;
