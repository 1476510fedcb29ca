import { notFound } from '../api/error.ts'
import type { Kind } from '../api/kind.ts'
import { kindSchema } from '../api/metadata/kind-schema.ts'
import { boolean, object, string, strings } from '../api/schema-builder.ts'
import { asMembers } from '../base/json/lenient.ts'
import { answered } from '../server/reviews/answer.ts'
import type { ReviewResource } from '../server/reviews/contract.ts'
import type { Connectors, KnownConnector } from './connectors.ts'
import { SignOnFailure } from './failure.ts'
import type { TriedSignIn, TriedSignIns } from './tried-sign-ins.ts'

interface Tried {
  readonly works: boolean
  /** What was found to work, in the order in which it was tried. */
  readonly steps: readonly string[]
  /** What works, but may not be meant. */
  readonly warnings?: readonly string[]
  readonly problem?: string
}

/**
 * `POST …/connectors/NAME/test`: reports whether a connector works, as far as that can be checked without a user, or
 * the result of a sign-in.
 */
export function connectorTest(
  { group, version, plural: parent }: Pick<Kind, 'group' | 'version' | 'plural'>,
  connectors: Connectors,
  signIns: TriedSignIns,
): ReviewResource {
  const gvk = { group, version, kind: 'ConnectorTest' }
  return {
    ...gvk,
    plural: 'test',
    singular: 'test',
    namespaced: false,
    parent,
    hasOwnParent: true,
    schema: kindSchema(gvk, 'Whether a connector works.', {
      spec: object('A sign-in that was made to try it. Absent: it is tried as far as that goes without a user.', {
        code: string('The code that the browser brought.'),
        verifier: string('What the sign-in was begun with.'),
      }),
      status: object('What was tried.', {
        works: boolean('Whether everything worked that was tried.'),
        steps: strings('What was found to work.'),
        warnings: strings('What works, but may not be meant to be so.'),
        problem: string('What does not.'),
      }),
    }),
    review: async ({ spec }, { name, signal }) => {
      const known = connectors.find(name)
      if (known === undefined) throw notFound({ plural: parent, group }, name)
      const { code, verifier } = asMembers(spec)
      const status =
        typeof code === 'string' && typeof verifier === 'string'
          ? await signedIn(known, signIns, code, verifier)
          : await tried(known, connectors, signal)
      return answered(gvk, { status })
    },
  }
}

async function signedIn(
  { uid }: KnownConnector,
  signIns: TriedSignIns,
  code: string,
  verifier: string,
): Promise<Tried> {
  const over: TriedSignIn = { steps: [], problem: 'there is no such sign-in, or it was too long ago' }
  const { steps, warnings = [], problem } = (await signIns.redeem(code, verifier, uid)) ?? over
  return problem === undefined ? worked(steps, warnings) : { works: false, steps, problem }
}

async function tried(known: KnownConnector, connectors: Connectors, signal: AbortSignal): Promise<Tried> {
  const steps: string[] = []
  const warnings: string[] = []
  try {
    const connector = await connectors.open(known)
    for await (const step of connector.test(signal)) {
      if (typeof step === 'string') steps.push(step)
      else warnings.push(step.warning)
    }
    return worked(steps, warnings)
  } catch (error) {
    if (error instanceof SignOnFailure)
      return { works: false, steps, problem: withRemedy(error.message, known.spec.type) }
    throw error
  }
}

function worked(steps: readonly string[], warnings: readonly string[]): Tried {
  return warnings.length === 0 ? { works: true, steps } : { works: true, steps, warnings }
}

/** The words of Node for a certificate whose authority is not known. */
const untrustedAuthority =
  /self-signed certificate|unable to verify the first certificate|unable to get (?:local )?issuer/

/** Adds the field to set if the platform does not know the authority of the provider. */
function withRemedy(problem: string, type: string | undefined): string {
  const isRemedied = type !== undefined && type !== 'saml' && untrustedAuthority.test(problem)
  return isRemedied ? `${problem}: name the authority of its certificate in spec.${type}.caBundle` : problem
}
