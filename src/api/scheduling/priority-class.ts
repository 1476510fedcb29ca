import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn, nameColumn } from '../core/columns.ts'
import { checkOneOf } from '../core/field-checks.ts'
import { type FieldError, forbiddenField, invalidField } from '../field-error.ts'
import type { PriorityClass } from '../types/scheduling-v1.ts'

const systemPrefix = 'system-'
const maxUserPriority = 1_000_000_000

/** Classes of the cluster itself, and the priority of their pods. */
export const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

export const priorityClass = builtinKind<PriorityClass>({
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  shortNames: ['pc'],
  namespaced: false,
  hasGeneration: true,
  hasConstantGeneration: true,
  message: 'k8s.io.api.scheduling.v1.PriorityClass',
  columns: [
    nameColumn,
    integerColumn('Value', 'Priority of the pods of this class.', ({ value }) => value),
    {
      name: 'Global-Default',
      type: 'boolean',
      description: 'Whether the class applies to pods that name none.',
      value: ({ globalDefault }) => globalDefault ?? false,
    },
    ageColumn,
    column('PreemptionPolicy', 'Whether pods of this class may preempt other pods.', ({ preemptionPolicy }) => {
      return preemptionPolicy ?? ''
    }),
  ],
  strategy: {
    defaults: (object) => ({ ...object, preemptionPolicy: object.preemptionPolicy ?? 'PreemptLowerPriority' }),
    validateSchema: (object, old) => (old === undefined ? validateNewClass(object) : []),
    validateUpdate: validateClassUpdate,
  },
})

/** For an existing class only the immutable fields are checked. */
function validateNewClass(object: PriorityClass): readonly FieldError[] {
  const { metadata, value, preemptionPolicy } = object
  const { name = '' } = metadata
  const isSystem = name.startsWith(systemPrefix)
  const problem = isSystem ? systemProblem(object) : undefined
  return [
    ...(problem === undefined
      ? []
      : [
          forbiddenField(
            'metadata.name',
            `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`,
          ),
        ]),
    ...(!isSystem && value > maxUserPriority
      ? [forbiddenField('value', `maximum allowed value of a user defined priority is ${maxUserPriority}`)]
      : []),
    ...(preemptionPolicy === undefined
      ? []
      : checkOneOf('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never'])),
  ]
}

function systemProblem({ metadata, value, globalDefault = false }: PriorityClass): string | undefined {
  const { name = '' } = metadata
  const known = Object.hasOwn(systemPriorities, name) ? systemPriorities[name] : undefined
  if (known === undefined) return `${name} is not a known system priority class`
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

function validateClassUpdate(after: PriorityClass, before: PriorityClass): readonly FieldError[] {
  return [
    ...(after.value === before.value ? [] : [forbiddenField('value', 'may not be changed in an update.')]),
    ...(after.preemptionPolicy === before.preemptionPolicy
      ? []
      : [invalidField('preemptionPolicy', after.preemptionPolicy, 'field is immutable')]),
  ]
}
