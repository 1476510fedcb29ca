import { validateResources } from '../core/amounts/resource-validation.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { checkLabelName, checkLabels } from '../core/field-checks.ts'
import { labelDeprecation } from '../core/nodes/node-label-warnings.ts'
import { validateTolerations } from '../core/nodes/toleration-validation.ts'
import { repeated } from '../core/repeated.ts'
import { duplicateFieldAs, type FieldError, invalidField } from '../field-error.ts'
import { quoted } from '../human/go-syntax.ts'
import { shortened } from '../human/shortened.ts'
import type { Toleration } from '../types/core-v1.ts'
import type { RuntimeClass } from '../types/node-v1.ts'

export const runtimeClass = builtinKind<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  allowsUnconditionalUpdate: false,
  allowsCreateOnUpdate: true,
  message: 'k8s.io.api.node.v1.RuntimeClass',
  columns: [nameColumn, column('Handler', 'Handler that runs the containers.', ({ handler }) => handler), ageColumn],
  strategy: {
    validate: validateClass,
    validateUpdate: (after, before) =>
      after.handler === before.handler ? [] : [invalidField('handler', after.handler, 'field is immutable')],
    warnings: ({ scheduling }) =>
      Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
        const text = labelDeprecation(label)
        return text === undefined ? [] : [`scheduling.nodeSelector: ${text}`]
      }),
  },
})

function validateClass({ handler, overhead, scheduling }: RuntimeClass): readonly FieldError[] {
  return [
    ...checkLabelName('handler', handler),
    ...(overhead?.podFixed === undefined ? [] : validateResources('overhead', { limits: overhead.podFixed })),
    ...checkLabels('scheduling.nodeSelector', scheduling?.nodeSelector),
    ...validateTolerations('scheduling.tolerations.tolerations', scheduling?.tolerations ?? []),
    ...validateUnique('scheduling.tolerations', scheduling?.tolerations ?? []),
  ]
}

function validateUnique(field: string, tolerations: readonly Toleration[]): readonly FieldError[] {
  const isTaken = repeated(
    tolerations.map(({ key, operator, value, effect }) => JSON.stringify([key, operator, value, effect])),
  )
  return tolerations.flatMap((each, index) =>
    isTaken[index] ? [duplicateFieldAs(`${field}[${index}]`, printedToleration(each))] : [],
  )
}

/** As Go prints it, except for the address of the seconds. */
function printedToleration({ key, operator, value, effect, tolerationSeconds }: Toleration): string {
  const texts = Object.entries({ Key: key, Operator: operator, Value: value, Effect: effect })
  const shown = texts.map(([name, text]) => `${name}:${quoted(shortened(text ?? ''))}`).join(', ')
  const seconds = tolerationSeconds === undefined ? '(*int64)(nil)' : String(tolerationSeconds)
  return `core.Toleration{${shown}, TolerationSeconds:${seconds}}`
}
