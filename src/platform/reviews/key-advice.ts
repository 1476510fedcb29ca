import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject } from '../../api/schema-builder.ts'
import { narrowestScope } from '../../auth/scope/advice/narrowest-scope.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import type { KeyParts } from '../access-keys/parts.ts'
import { shownExtent, shownUse } from '../access-keys/usage/shown-usage.ts'
import { keyQuestion, visibleKey } from './about-key.ts'

/** `POST …/ownedaccesskeys/NAME/advise`: the narrowest scope that allows everything the key has done so far. */
export function advice(parts: KeyParts, keys: () => ResourceContext): ReviewResource {
  const question = keyQuestion('advise', 'AccessKeyAdvice', parts)
  return {
    ...question,
    schema: kindSchema(question, 'The narrowest scope with which an access key can do what it did so far.', {
      spec: anyObject('Nothing is asked for.'),
      status: anyObject(
        '`scope` as in the spec of the key, made from all `uses` that are recorded since `usesSince`; what other replicas did in the last `usesDelaySeconds` may be missing. `usesComplete: false` says that some were folded into one, so that the scope is wider than it had to be. `uncovered` has what no scope lets through.',
      ),
    }),
    review: async (_, context) => {
      const { object: key } = await visibleKey(keys(), context)
      const recorded = await parts.uses.of(key, parts.clock.now())
      const { scope, uncovered } = narrowestScope(recorded.uses, parts.environment)
      const status = { scope, uncovered: uncovered.map(shownUse), uses: recorded.uses.length, ...shownExtent(recorded) }
      return answered(question, { status })
    },
  }
}
