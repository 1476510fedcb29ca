import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, nameColumn, orNone, wideColumn } from '../core/columns.ts'
import { checkNotNegative } from '../core/field-checks.ts'
import { changedSpecWarnings, containerColumns, withTemplateDefaults } from '../core/pods/pod-template.ts'
import { nameWarnings } from '../core/pods/pod-warnings.ts'
import { replicaColumns, validateReplicaStatus } from '../core/replica-status.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { ReplicaSet } from '../types/apps-v1.ts'
import { checkSameSelector, replicaSetRules } from './deployment-validation.ts'
import { validateReplicated } from './replica-checks.ts'

export const replicaSet = builtinKind<ReplicaSet>({
  group: 'apps',
  version: 'v1',
  kind: 'ReplicaSet',
  plural: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  keepsTemplate: true,
  message: 'k8s.io.api.apps.v1.ReplicaSet',
  scale: { selector: ({ spec }) => labelSelectorText(spec.selector) },
  columns: [
    nameColumn,
    ...replicaColumns<ReplicaSet>(),
    ageColumn,
    ...containerColumns(({ spec }: ReplicaSet) => spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) => orNone(labelSelectorText(spec.selector))),
  ],
  strategy: {
    defaults: withDefaults,
    warnings: ({ metadata, spec }, old) => [
      ...(old === undefined ? nameWarnings(metadata) : []),
      ...changedSpecWarnings('spec.template', spec.template, spec, old?.spec),
    ],
    validate: ({ spec }) => [
      ...checkNotNegative('spec.replicas', spec.replicas),
      ...checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
      ...validateReplicated(spec, replicaSetRules),
    ],
    validateUpdate: (after, before) => checkSameSelector(after.spec.selector, before.spec.selector),
    validateStatusUpdate: ({ status }) => validateReplicaStatus(status),
  },
})

function withDefaults(object: ReplicaSet): ReplicaSet {
  const { replicas = 1, template } = object.spec
  return { ...object, spec: { ...object.spec, replicas, template: withTemplateDefaults(template) } }
}
