import { builtinKind, type TypedColumn } from '../core/builtin-kind.ts'
import { ageColumn, column, nameColumn } from '../core/columns.ts'
import type { KubeObject } from '../object.ts'
import type { HorizontalPodAutoscaler } from '../types/autoscaling-v2.ts'
import { withAutoscalerDefaults } from './autoscaler-defaults.ts'
import { validateAutoscaler, validateAutoscalerStatus } from './autoscaler-validation.ts'
import { targetsText } from './targets-text.ts'

export const autoscalingFacts = {
  group: 'autoscaling',
  kind: 'HorizontalPodAutoscaler',
  plural: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  hasStatus: true,
} as const

/** The form in which autoscalers are stored; `autoscaling/v1` is a view of it. */
export const horizontalPodAutoscaler = builtinKind<HorizontalPodAutoscaler>({
  ...autoscalingFacts,
  version: 'v2',
  message: 'k8s.io.api.autoscaling.v2.HorizontalPodAutoscaler',
  columns: autoscalerColumns((object: HorizontalPodAutoscaler) => object),
  strategy: {
    defaults: withAutoscalerDefaults,
    validate: validateAutoscaler,
    validateStatusUpdate: validateAutoscalerStatus,
  },
})

/** Both versions print the same columns; `stored` returns the stored form of an object. */
export function autoscalerColumns<T extends KubeObject>(
  stored: (object: T) => HorizontalPodAutoscaler,
): readonly TypedColumn<T>[] {
  return [
    nameColumn,
    column('Reference', 'Object that the autoscaler scales.', (object) => {
      const { kind, name } = stored(object).spec.scaleTargetRef
      return `${kind}/${name}`
    }),
    column('Targets', 'Current and target value of each metric.', (object) => targetsText(stored(object))),
    column('MinPods', 'Minimum number of pods.', (object) => String(stored(object).spec.minReplicas ?? '<unset>')),
    column('MaxPods', 'Maximum number of pods.', (object) => stored(object).spec.maxReplicas),
    column('Replicas', 'Current number of pods.', (object) => stored(object).status.currentReplicas ?? 0),
    ageColumn,
  ]
}
