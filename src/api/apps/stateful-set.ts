import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import { changedSpecWarnings, containerColumns, withTemplateDefaults } from '../core/pods/pod-template.ts'
import { withClaimDefaults } from '../core/volumes/claim-defaults.ts'
import { claimSpecWarnings } from '../core/volumes/claim-warnings.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '../types/apps-v1.ts'
import type { PersistentVolumeClaim } from '../types/core-v1.ts'
import { validateStatefulSet, validateStatefulSetStatus, validateStatefulSetUpdate } from './stateful-set-validation.ts'

export const statefulSet = builtinKind<StatefulSet>({
  group: 'apps',
  version: 'v1',
  kind: 'StatefulSet',
  plural: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  nameRule: 'dns-label',
  hasStatus: true,
  hasGeneration: true,
  keepsTemplate: true,
  message: 'k8s.io.api.apps.v1.StatefulSet',
  scale: { selector: ({ spec }) => labelSelectorText(spec.selector) },
  columns: [
    nameColumn,
    column('Ready', 'Ready pods and desired pods.', ({ spec, status }) => {
      return `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`
    }),
    ageColumn,
    ...containerColumns(({ spec }: StatefulSet) => spec.template),
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: validateStatefulSet,
    validateUpdate: validateStatefulSetUpdate,
    validateStatusUpdate: validateStatefulSetStatus,
    warnings: setWarnings,
  },
})

/** As in Kubernetes, the path to the claims has another form once the set exists. */
function setWarnings({ spec }: StatefulSet, old?: StatefulSet): readonly string[] {
  return [
    ...changedSpecWarnings('spec.template', spec.template, spec, old?.spec),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, index) =>
      claimSpecWarnings(`spec.volumeClaimTemplates[${index}]${old === undefined ? '' : '.Spec'}`, claim.spec),
    ),
  ]
}

function withDefaults(spec: StatefulSetSpec): StatefulSetSpec {
  const { volumeClaimTemplates } = spec
  return {
    ...spec,
    replicas: spec.replicas ?? 1,
    template: withTemplateDefaults(spec.template),
    ...(volumeClaimTemplates && { volumeClaimTemplates: volumeClaimTemplates.map(withClaimTemplateDefaults) }),
    podManagementPolicy: spec.podManagementPolicy ?? 'OrderedReady',
    updateStrategy: withStrategyDefaults(spec.updateStrategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
      ...spec.persistentVolumeClaimRetentionPolicy,
    },
  }
}

/** The templates are whole objects that were never created. */
function withClaimTemplateDefaults(claim: PersistentVolumeClaim): PersistentVolumeClaim {
  const { metadata, ...rest } = withClaimDefaults(claim)
  return {
    ...rest,
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...metadata, creationTimestamp: metadata.creationTimestamp ?? null },
  }
}

function withStrategyDefaults(strategy: StatefulSetUpdateStrategy): StatefulSetUpdateStrategy {
  const { type = 'RollingUpdate', rollingUpdate } = strategy
  return type === 'RollingUpdate' ? { type, rollingUpdate: { partition: 0, ...rollingUpdate } } : { ...strategy, type }
}
