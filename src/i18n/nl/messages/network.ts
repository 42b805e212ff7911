import type { Vocabulary } from '../../language.js';

export const NETWORK_MESSAGES: Vocabulary = {
  'network.refused': 'verbinding geweigerd: de server draait niet, of de poort is onjuist',
  'network.name-unknown': 'de servernaam {host} is niet gevonden',
  'network.name-not-looked-up': 'de servernaam {host} kon niet worden opgezocht: controleer het netwerk',
  'network.timeout': 'de server antwoordde niet op tijd',
  'network.unreachable': 'de server is onbereikbaar',
  'network.network-unreachable': 'het netwerk is onbereikbaar',
  'network.reset': 'de server heeft de verbinding verbroken',
  'network.no-tls': 'TLS is mislukt: de poort gebruikt geen TLS, of alleen een onveilige versie',
  'network.other-host': 'TLS is mislukt: het certificaat is voor een andere hostnaam uitgegeven',
  'network.expired':
    'TLS is mislukt: het certificaat is verlopen (of de klok van deze machine loopt niet goed)',
  'network.not-yet-valid':
    'TLS is mislukt: het certificaat is nog niet geldig (of de klok van deze machine loopt niet goed)',
  'network.self-signed':
    'TLS is mislukt: het certificaat is zelfondertekend en deze machine vertrouwt het niet',
  'network.unknown-issuer':
    'TLS is mislukt: het certificaat is uitgegeven door een CA die deze machine niet vertrouwt',
};
