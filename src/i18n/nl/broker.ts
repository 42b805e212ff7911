import type { Vocabulary } from '../language.js';

/** Why there is no connection to the broker. */
export const BROKER_REASONS: Vocabulary = {
  'the broker does not speak this MQTT version': 'de broker spreekt deze MQTT-versie niet',
  'the broker refuses the client id': 'de broker weigert het client-id',
  'the broker says that its service is unavailable': 'de broker zegt dat zijn dienst er niet is',
  'the broker refuses the user name or password': 'de broker weigert de gebruikersnaam of het wachtwoord',
  'the broker does not authorise this client (wrong user name or password, or no access)':
    'de broker laat deze client niet toe (gebruikersnaam of wachtwoord verkeerd, of geen toegang)',
  'the broker does not authorise this client': 'de broker laat deze client niet toe',
  'the broker is busy': 'de broker is bezet',
  'the broker has banned this client': 'de broker heeft deze client verbannen',
  'the broker is shutting down': 'de broker sluit af',
  'the broker heard nothing from this client for too long': 'de broker hoorde te lang niets van deze client',
  'the broker was told that another client with the same id has connected':
    'een andere client met hetzelfde id heeft zich bij de broker gemeld',
  'the broker was sent a packet that is too large for it':
    'de broker kreeg een pakket dat te groot voor hem is',
  'the broker has no quota left for this client': 'de broker heeft voor deze client niets meer over',
  'the broker was connected to too often': 'er is te vaak verbinding met de broker gemaakt',
  'the broker refused with code {0}': 'de broker weigerde met code {0}',
  'a file of the TLS settings cannot be used': 'een bestand van de TLS-instellingen is niet te gebruiken',
  'no connection: nothing answers at this host and port':
    'geen verbinding: op deze host en poort antwoordt niets',
  'no answer in time': 'geen antwoord op tijd',
  'connected, but no MQTT session: check the port, the protocol and the TLS files':
    'verbonden, maar geen MQTT-sessie: controleer de poort, het protocol en de TLS-bestanden',
  'nothing listens there: the broker is not running, or the port is wrong':
    'daar luistert niets: de broker draait niet, of de poort is verkeerd',
  'the host name was not found': 'de hostnaam is niet gevonden',
  'the host name could not be looked up: is the network up?':
    'de hostnaam kon niet opgezocht worden: werkt het netwerk?',
  'the host did not answer': 'de host gaf geen antwoord',
  'the host cannot be reached': 'de host is niet te bereiken',
  'the network cannot be reached': 'het netwerk is niet te bereiken',
  'the connection was reset': 'de verbinding is verbroken',
  'TLS failed: the port does not speak TLS, or not a version that is safe':
    'TLS mislukte: de poort spreekt geen TLS, of geen veilige versie',
  'TLS failed: the port does not speak TLS': 'TLS mislukte: de poort spreekt geen TLS',
  'TLS failed: the certificate was made for another host name':
    'TLS mislukte: het certificaat is voor een andere hostnaam gemaakt',
  'TLS failed: the certificate has expired (or the clock of this machine is wrong)':
    'TLS mislukte: het certificaat is verlopen (of de klok van deze machine staat verkeerd)',
  'TLS failed: the certificate is not valid yet (or the clock of this machine is wrong)':
    'TLS mislukte: het certificaat is nog niet geldig (of de klok van deze machine staat verkeerd)',
  'TLS failed: the certificate is self-signed; name it as the CA file':
    'TLS mislukte: het certificaat is door zichzelf ondertekend; noem het als CA-bestand',
  'TLS failed: the certificate comes from a private CA; name its CA file':
    'TLS mislukte: het certificaat komt van een eigen CA; noem haar CA-bestand',
  'TLS failed: the issuer of the certificate is unknown; name its CA file':
    'TLS mislukte: de uitgever van het certificaat is onbekend; noem haar CA-bestand',
  'no answer from the broker': 'geen antwoord van de broker',
  'the broker has gone silent': 'de broker zwijgt',
  'see the broker settings': 'zie de instellingen van de broker',
};
