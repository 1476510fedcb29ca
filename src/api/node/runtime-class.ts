import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { checkLabelName, checkLabels } from '../core/field-checks.ts'
import { validateTolerations } from '../core/toleration-validation.ts'
import { type FieldError, invalidField } from '../field-error.ts'
import type { RuntimeClass } from '../types/node-v1.ts'

export const runtimeClass = builtinKind<RuntimeClass>({
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  plural: 'runtimeclasses',
  namespaced: false,
  allowsUnconditionalUpdate: false,
  message: 'k8s.io.api.node.v1.RuntimeClass',
  columns: [nameColumn, column('Handler', 'What runs the containers.', ({ handler }) => handler), ageColumn],
  strategy: {
    validate: validateClass,
    validateUpdate: (after, before) =>
      after.handler === before.handler ? [] : [invalidField('handler', after.handler, 'field is immutable')],
  },
})

function validateClass({ handler, scheduling }: RuntimeClass): readonly FieldError[] {
  return [
    ...checkLabelName('handler', handler),
    ...checkLabels('scheduling.nodeSelector', scheduling?.nodeSelector),
    ...validateTolerations('scheduling.tolerations.tolerations', scheduling?.tolerations ?? []),
  ]
}
