import { deepEqual } from '../../base/equal.ts'
import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, integerColumn, labelsText, nameColumn, orNone, wideColumn } from '../core/columns.ts'
import { containerColumns, templateWarnings, withTemplateDefaults } from '../core/pods/pod-template.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { DaemonSet, DaemonSetSpec, DaemonSetUpdateStrategy } from '../types/apps-v1.ts'
import { validateDaemonSet, validateDaemonSetStatus } from './daemon-set-validation.ts'
import { checkSameSelector } from './deployment-validation.ts'

/** How often the template has changed; older clients still rely on it. */
export const templateGeneration = 'deprecated.daemonset.template.generation'

export const daemonSet = builtinKind<DaemonSet>({
  group: 'apps',
  version: 'v1',
  kind: 'DaemonSet',
  plural: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  keepsTemplate: true,
  message: 'k8s.io.api.apps.v1.DaemonSet',
  columns: [
    nameColumn,
    integerColumn('Desired', 'Nodes that should run a pod.', ({ status }) => status.desiredNumberScheduled),
    integerColumn('Current', 'Nodes that run a pod as desired.', ({ status }) => status.currentNumberScheduled),
    integerColumn('Ready', 'Nodes whose pod is ready.', ({ status }) => status.numberReady),
    integerColumn('Up-to-date', 'Nodes whose pod uses the current template.', ({ status }) => {
      return status.updatedNumberScheduled ?? 0
    }),
    integerColumn('Available', 'Nodes whose pod has been ready for long enough.', ({ status }) => {
      return status.numberAvailable ?? 0
    }),
    column('Node Selector', 'Labels of the nodes that run a pod.', ({ spec }) =>
      labelsText(spec.template.spec.nodeSelector),
    ),
    ageColumn,
    ...containerColumns(({ spec }: DaemonSet) => spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) => orNone(labelSelectorText(spec.selector))),
  ],
  strategy: {
    defaults: (object) => withTemplateGeneration({ ...object, spec: withDefaults(object.spec) }, generationOf(object)),
    prepareForCreate: (object) => withTemplateGeneration(object, 1),
    prepareForUpdate: (object, old) => {
      const before = generationOf(old)
      return withTemplateGeneration(object, deepEqual(object.spec.template, old.spec.template) ? before : before + 1)
    },
    validate: validateDaemonSet,
    warnings: ({ spec }, old) => templateWarnings('spec.template', spec.template, old?.spec.template),
    validateUpdate: (after, before) => checkSameSelector(after.spec.selector, before.spec.selector),
    validateStatusUpdate: validateDaemonSetStatus,
  },
})

function withDefaults(spec: DaemonSetSpec): DaemonSetSpec {
  return {
    ...spec,
    template: withTemplateDefaults(spec.template),
    updateStrategy: withStrategyDefaults(spec.updateStrategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
  }
}

function withStrategyDefaults(strategy: DaemonSetUpdateStrategy): DaemonSetUpdateStrategy {
  const { type = 'RollingUpdate', rollingUpdate } = strategy
  if (type !== 'RollingUpdate') return { ...strategy, type }
  return { type, rollingUpdate: { maxUnavailable: 1, maxSurge: 0, ...rollingUpdate } }
}

/** A value that is not a number counts as 1. */
function generationOf({ metadata }: DaemonSet): number {
  return Number.parseInt(metadata.annotations?.[templateGeneration] ?? '1', 10) || 1
}

function withTemplateGeneration(object: DaemonSet, generation: number): DaemonSet {
  const annotations = { ...object.metadata.annotations, [templateGeneration]: String(generation) }
  return { ...object, metadata: { ...object.metadata, annotations } }
}
