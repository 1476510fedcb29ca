import type { Kind } from '../kind.ts'
import { boolean, integer, list, map, object, string } from '../schema-builder.ts'
import { accessKeyScope } from './access-key-scope.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { caBundle } from './connector-fields.ts'
import { managementKind } from './management-kind.ts'
import { conditions, naming } from './shared-fields.ts'
import { validateTrustedIssuer } from './trusted-issuer-validation.ts'

/** An issuer of tokens that machines exchange for short-lived access keys. */
export function trustedIssuerKind(domain: string): Kind {
  return managementKind(domain, {
    kind: 'TrustedIssuer',
    plural: 'trustedissuers',
    namespaced: false,
    description:
      'An issuer of tokens, such as a CI system or a Kubernetes cluster, that machines exchange for short-lived access keys.',
    spec,
    status: { conditions },
    columns: [
      displayNameColumn,
      textColumn('Issuer', 'spec.issuer', 'Who signs the tokens.'),
      textColumn('Audience', 'spec.audience', 'Whom the tokens are for.'),
    ],
    strategy: { validate: validateTrustedIssuer },
  })
}

const rule = object(
  'Whose access key a machine gets, by what its token says.',
  {
    claims: map(
      'What the token has to say, all of it: names of claims, or paths into them, and what they have to be. `*` stands for any characters.',
      string('The value that the claim must have.'),
    ),
    user: string('Name of the User that the key acts for.'),
    team: string('Name of the Team that the key acts for.'),
    scope: accessKeyScope,
    ttlSeconds: integer('How long the key lives: 60 to 3600. Default: 900.'),
  },
  { typeName: 'ExchangeRule' },
)

const spec = {
  ...naming,
  issuer: string('Who signs the tokens, exactly as they say it (claim `iss`).'),
  audience: string('Whom the tokens are for (claim `aud`). Choose one that names this platform.'),
  caBundle,
  keys: string(
    'Keys of the issuer (a JSON Web Key Set), if the platform cannot reach it. Empty: read from where `/.well-known/openid-configuration` below the issuer says.',
  ),
  disabled: boolean('When true, no token of the issuer is exchanged. Keys that were made go on to their end.'),
  singleUse: boolean('When true, each token is exchanged once.'),
  rules: list('The first one that fits counts.', rule),
}
