import { builtinKind } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn, orNone, wideColumn } from '../core/columns.ts'
import { changedSpecWarnings, containerColumns, withTemplateDefaults } from '../core/pods/pod-template.ts'
import { nameWarnings } from '../core/pods/pod-warnings.ts'
import { labelSelectorText } from '../selectors/label-selector-object.ts'
import type { Deployment, DeploymentSpec, DeploymentStrategy } from '../types/apps-v1.ts'
import { validateDeployment, validateDeploymentStatus, validateDeploymentUpdate } from './deployment-validation.ts'

const defaultShare = '25%'

export const deployment = builtinKind<Deployment>({
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  shortNames: ['deploy'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
  hasGeneration: true,
  keepsTemplate: true,
  generationCountsAnnotations: true,
  statusKeeps: ['labels'],
  message: 'k8s.io.api.apps.v1.Deployment',
  scale: { selector: ({ spec }) => labelSelectorText(spec.selector) },
  columns: [
    nameColumn,
    column('Ready', 'Ready pods and desired pods.', ({ spec, status }) => {
      return `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`
    }),
    column('Up-to-date', 'Pods that use the current template.', ({ status }) => status.updatedReplicas ?? 0),
    column('Available', 'Pods that have been ready for long enough.', ({ status }) => status.availableReplicas ?? 0),
    ageColumn,
    ...containerColumns(({ spec }: Deployment) => spec.template),
    wideColumn('Selector', 'Selector of its pods.', ({ spec }) => orNone(labelSelectorText(spec.selector))),
  ],
  strategy: {
    defaults: (object) => ({ ...object, spec: withDefaults(object.spec) }),
    validate: validateDeployment,
    validateUpdate: validateDeploymentUpdate,
    validateStatusUpdate: validateDeploymentStatus,
    warnings: ({ metadata, spec }, old) => [
      ...(old === undefined ? nameWarnings(metadata) : []),
      ...changedSpecWarnings('spec.template', spec.template, counted({ metadata, spec }), old && counted(old)),
    ],
  },
})

/** What changes the generation, with which Kubernetes repeats its warnings. */
function counted({ metadata, spec }: Pick<Deployment, 'metadata' | 'spec'>): object {
  return { spec, annotations: metadata.annotations ?? {} }
}

function withDefaults(spec: DeploymentSpec): DeploymentSpec {
  return {
    ...spec,
    replicas: spec.replicas ?? 1,
    template: withTemplateDefaults(spec.template),
    strategy: withStrategyDefaults(spec.strategy),
    revisionHistoryLimit: spec.revisionHistoryLimit ?? 10,
    progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600,
  }
}

function withStrategyDefaults({ type = 'RollingUpdate', rollingUpdate }: DeploymentStrategy): DeploymentStrategy {
  if (type !== 'RollingUpdate') return rollingUpdate === undefined ? { type } : { type, rollingUpdate }
  return { type, rollingUpdate: { maxUnavailable: defaultShare, maxSurge: defaultShare, ...rollingUpdate } }
}
