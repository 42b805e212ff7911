import type { Vocabulary } from '../../language.js';

/** The messages of access. */
export const ACCESS_MESSAGES: Vocabulary = {
  'access.login-expired': 'deze inlogpoging is verlopen',
  'access.log-in-again': 'Log opnieuw in.',
  'access.start-again': 'Begin opnieuw.',
  'access.code-wrong': 'de code is onjuist of al gebruikt',
  'access.clock-hint': 'De klok van de gateway staat op {time}. Klopt dat niet, gebruik dan een herstelcode.',
  'access.code-needed': 'er is een code van de tweede factor nodig',
  'access.code-needed-hint': 'Voer de code uit de authenticator-app in, of een herstelcode.',
  'access.too-many-codes': 'er waren te veel onjuiste codes',
  'access.too-many-codes-hint':
    'Gebruik een herstelcode, of wacht. Hebt u ze niet zelf ingevoerd, wijzig dan uw wachtwoord.',
  'access.no-factor-to-confirm': 'er is geen tweede factor om te bevestigen',
  'access.no-factor': 'deze gebruiker heeft geen tweede factor',
  'access.login-changed': 'de inloggegevens zijn intussen gewijzigd',
  'access.own-factor': 'de eigen tweede factor kan zo niet worden uitgezet',
  'access.own-factor-hint': 'Zet die uit op uw accountpagina, met het wachtwoord en een code.',
  'access.password-changed': 'Het wachtwoord is gewijzigd',
  'access.wrong-credentials': 'de gebruikersnaam of het wachtwoord is verkeerd',
  'access.too-many-attempts': 'er is te vaak geprobeerd in te loggen',
  'access.login-queue-full': 'er loggen nu te veel mensen in',
  'access.setup-code-invalid': 'deze instelcode is niet geldig',
  'access.set-up-already': 'deze gateway is al ingesteld',
  'access.log-in': 'Log in.',
  'access.current-password-wrong': 'uw huidige wachtwoord is een ander',
  'access.name-taken': 'er is al een gebruiker met deze naam',
  'access.scope-needed': 'kies minstens één recht',
  'access.key-name-taken': 'er is al een sleutel met deze naam',
  'access.last-admin': 'dit is de laatste beheerder: niemand anders zou gebruikers kunnen beheren',
  'access.password-common': 'dit wachtwoord is een van de eerste die geraden worden',
};
