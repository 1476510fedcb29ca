import { availableParallelism } from 'node:os'
import type { Kind } from '../../api/kind.ts'
import { kindSchema } from '../../api/metadata/kind-schema.ts'
import { anyObject, list, object, string } from '../../api/schema-builder.ts'
import { asMembers } from '../../base/json/lenient.ts'
import { FairQueue } from '../../server/fairness/fair-queue.ts'
import { answered } from '../../server/reviews/answer.ts'
import type { ReviewResource } from '../../server/reviews/contract.ts'
import { evaluatePatches } from '../patch-evaluation/evaluate.ts'
import { longestPatches, longestText, mostPatches, readEvaluationQuestion } from '../patch-evaluation/question.ts'

/** Each evaluation keeps a core busy, so the limit leaves one core for other requests. */
const places = Math.max(1, Math.min(availableParallelism() - 1, 4))
const longestEvaluationMs = 5_000

const patch = object('One patch, as in tenant.yaml.', {
  path: string('Where in the object.'),
  expression: string('What the value becomes on the way to the host.'),
  reverseExpression: string('What the value becomes on the way back.'),
  reference: object('The value refers to another object.', {
    apiVersion: string('apiVersion of the object that is referred to.'),
    apiVersionPath: string('Where the apiVersion stands, from the value.'),
    kind: string('Kind of the object that is referred to.'),
    kindPath: string('Where the kind stands, from the value.'),
    namePath: string('Where the name stands, from the value. Absent: the value is the name.'),
    namespacePath: string('Where the namespace stands, from the value.'),
    labels: anyObject('The value is a label selector.'),
  }),
  labels: anyObject('The value is a label selector.'),
})

/** `POST …/patchevaluations`: the effect of patches on an object, to the host and back. Nothing is stored or synced. */
export function patchEvaluations(
  { group, version }: Pick<Kind, 'group' | 'version'>,
  longestMs = longestEvaluationMs,
): ReviewResource {
  const gvk = { group, version, kind: 'PatchEvaluation' }
  const turns = new FairQueue({
    places,
    placesPerOwner: 1,
    waiting: 64,
    waitingPerOwner: 4,
    longestMs,
    busy: 'too many patches are being tried out at the moment',
  })
  return {
    ...gvk,
    plural: 'patchevaluations',
    singular: 'patchevaluation',
    namespaced: false,
    schema: kindSchema(gvk, 'Tries out patches with the engine and the limits of the syncer, without any cluster.', {
      spec: object('What to try out.', {
        resource: string(
          'Whose patches these are, as under sync.toHost: `endpoints`, `configMaps`, `widgets.example.com`.',
        ),
        object: string(`An object of the virtual cluster, as YAML or JSON of at most ${longestText} characters.`),
        hostObject: string('The object on the host, as YAML or JSON. Absent: what the patches make of `object`.'),
        patches: list(`The patches, in order, at most ${mostPatches} of together ${longestPatches} characters.`, patch),
        config: string(
          'The tenant.yaml that `context.vcluster.config` and the mapping of namespaces come from. Absent: the defaults.',
        ),
        tenant: string('Name of the tenant. Absent: `demo`.'),
        hostNamespace: string('Namespace of the tenant on the host. Absent: `tenant-demo`.'),
      }),
      status: anyObject('What is wrong with the question, or what the patches did in both directions.'),
    }),
    review: ({ spec }, context) =>
      turns.take(context, async (signal) => {
        const read = readEvaluationQuestion(asMembers(spec))
        const status = read.ok ? await evaluatePatches(read.question, signal) : { problems: read.problems }
        return answered(gvk, { status })
      }),
  }
}
