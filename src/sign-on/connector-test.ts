import { notFound } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import { kindSchema } from '../api/metadata/kind-schema.ts'
import { anyObject, boolean, object, string, strings } from '../api/schema-builder.ts'
import { answered } from '../server/reviews/answer.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import type { Connectors, KnownConnector } from './connectors.ts'
import { SignOnFailure } from './failure.ts'

interface Tried {
  readonly works: boolean
  /** What was found to work, in the order in which it was tried. */
  readonly steps: readonly string[]
  readonly problem?: string
}

/** `POST …/connectors/NAME/test`: whether a connector works, as far as that can be told without a user. */
export function connectorTest(
  { group, version, plural: parent }: Pick<Kind, 'group' | 'version' | 'plural'>,
  connectors: Connectors,
): ReviewResource {
  const gvk = { group, version, kind: 'ConnectorTest' }
  return {
    ...gvk,
    plural: 'test',
    singular: 'test',
    namespaced: false,
    parent,
    hasOwnParent: true,
    schema: kindSchema(gvk, 'Whether a connector works, as far as that can be told without a user.', {
      spec: anyObject('Nothing is asked for.'),
      status: object('What was tried.', {
        works: boolean('Whether everything worked that can be tried without a user.'),
        steps: strings('What was found to work.'),
        problem: string('What does not.'),
      }),
    }),
    review: async (_, { name, signal }) => {
      const known = connectors.find(name)
      if (known === undefined) throw notFound({ plural: parent, group }, name)
      return answered(gvk, { status: await tried(known, connectors, signal) })
    },
  }
}

async function tried(known: KnownConnector, connectors: Connectors, signal: AbortSignal): Promise<Tried> {
  const steps: string[] = []
  try {
    const connector = await connectors.open(known)
    for await (const step of connector.test(signal)) steps.push(step)
    return { works: true, steps }
  } catch (error) {
    if (error instanceof SignOnFailure) return { works: false, steps, problem: error.message }
    throw error
  }
}
