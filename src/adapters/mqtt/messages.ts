import { declareMessages } from '../../shared/messages/message.js';

export const brokerMessage = declareMessages('broker', {
  'not-connected': 'the MQTT server is not connected ({reason})',
  connecting: 'connecting',
  'closed-broker': 'the MQTT server has shut down',
  contested: '{conflict} ({reason})',
  released: 'closed',
  'refuses.version': 'the MQTT server does not support this MQTT version',
  'refuses.client-id':
    'the MQTT server rejected the client ID; if the server is another gateway, the API key must be for the cart number with which this gateway was started',
  'refuses.unavailable': 'the MQTT service is unavailable',
  'refuses.credentials': 'the MQTT server rejected the username or password',
  'refuses.client-or-credentials':
    'the MQTT server denied access to this client (incorrect username or password, or no permission)',
  'refuses.client': 'the MQTT server denied access to this client',
  'refuses.busy': 'the MQTT server is busy',
  'refuses.banned': 'the MQTT server has banned this client',
  'refuses.shutting-down': 'the MQTT server is shutting down',
  'refuses.silent-client': 'the MQTT server received no packet from this client in time',
  'refuses.taken-over': 'another client with the same client ID has connected to the MQTT server',
  'refuses.packet-too-large': 'a packet was too large for the MQTT server',
  'refuses.quota': "this client's quota on the MQTT server is exhausted",
  'refuses.rate': 'the MQTT server rejected the connection: too many connection attempts',
  'refuses.code': 'the MQTT server rejected the connection with code {code}',
  'trial.no-echo':
    'connected, but the test message was not received: this client is not allowed to publish or subscribe',
  'trial.no-subscribe': 'connected, but this client is not allowed to subscribe to {topic}',
  'trial.own-broker':
    'this is the address of the broker in this gateway, which stops when an external broker is saved',
  'trial.tls-file': 'a TLS file cannot be used',
  'trial.no-connection': 'no connection: no response from this host and port',
  'trial.timeout': 'the MQTT server did not respond in time',
  'trial.no-session':
    'connected, but no MQTT session was established: check the port, the protocol and the TLS files',
  'tls.self-signed': 'TLS failed: the certificate is self-signed; set this certificate as the CA file',
  'tls.private-ca':
    "TLS failed: the certificate was issued by a private CA; set that CA's certificate as the CA file",
  'tls.unknown-issuer':
    "TLS failed: the certificate was issued by an unknown CA; set that CA's certificate as the CA file",
  'no-answer': 'no response from the MQTT server',
  silent: 'the MQTT server has stopped responding',
  'settings-hint': 'Check the MQTT settings.',
  'not-connected-yet': 'not connected yet',
  'closed-here': 'closed by this gateway',
  'ended-by-broker': 'disconnected by the MQTT server',
  'packet-too-large': 'disconnected, because the MQTT server sent a packet over 64 kB',
  closed: 'the connection was closed',
  'closed-before-answer': 'the connection was closed before the MQTT server responded',
  'settings-changed': 'the MQTT settings were changed',
  'client-id-taken':
    'another client seems to be using the same client ID: each connection closes immediately after it is established',
  'no-read': 'connected, but this client is not allowed to subscribe to {topics}',
  'no-publish': 'this client is not allowed to publish to {topic}',
  'cannot-listen': 'the built-in MQTT server cannot listen on {address}: {reason}',
  'port-taken': 'another program is already listening on this address',
  'port-forbidden': "the gateway's user is not permitted to listen on this port",
  'port-hint': 'Choose a different port in the MQTT settings, or stop the other program.',
  'file-unreadable': 'the {name} cannot be read: {reason}',
});
