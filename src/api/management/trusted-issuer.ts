import type { Kind } from '../kind.ts'
import { boolean, integer, list, map, object, string } from '../schema-builder.ts'
import { accessKeyScope } from './access-key-scope.ts'
import { displayNameColumn, textColumn } from './columns.ts'
import { caBundle } from './connectors/connector-fields.ts'
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
      textColumn('Issuer', 'spec.issuer', 'Issuer of the tokens.'),
      textColumn('Audience', 'spec.audience', 'Audience of the tokens.'),
    ],
    strategy: { validate: validateTrustedIssuer },
  })
}

const rule = object(
  'Maps tokens to the user or team that the resulting access key acts for.',
  {
    claims: map(
      'Claims that the token must have, all of them: names of claims, or paths into them, and their required values. `*` matches any characters.',
      string('Required value of the claim.'),
    ),
    user: string('Name of the User that the key acts for.'),
    team: string('Name of the Team that the key acts for.'),
    scope: accessKeyScope,
    ttlSeconds: integer('Lifetime of the key in seconds, from 60 to 3600. Default: 900.'),
  },
  { typeName: 'ExchangeRule' },
)

const spec = {
  ...naming,
  issuer: string('Issuer of the tokens, exactly as in their claim `iss`.'),
  audience: string('Audience of the tokens (claim `aud`). Choose a value that identifies this platform.'),
  caBundle,
  keys: string(
    'Keys of the issuer (a JSON Web Key Set), if the platform cannot reach it. If empty, they are read from the address in `/.well-known/openid-configuration` of the issuer.',
  ),
  disabled: boolean(
    'When true, tokens of the issuer are refused. Keys that were already issued remain valid until they expire.',
  ),
  singleUse: boolean('When true, each token can be exchanged only once.'),
  rules: list('Rules in order. The first rule that matches applies.', rule),
}
