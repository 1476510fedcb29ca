import { builtinKind } from '../core/builtin-kind.ts'
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '../types/autoscaling-v1.ts'
import { autoscalerColumns, autoscalingFacts } from './autoscaler.ts'
import { fromV1, toV1 } from './autoscaler-conversion.ts'
import { defaultCpuUtilization } from './autoscaler-defaults.ts'
import { validateAutoscaler, validateAutoscalerStatus } from './autoscaler-validation.ts'

export const horizontalPodAutoscalerV1 = builtinKind<AutoscalerV1>({
  ...autoscalingFacts,
  version: 'v1',
  message: 'k8s.io.api.autoscaling.v1.HorizontalPodAutoscaler',
  storedAs: {
    group: 'autoscaling',
    plural: 'horizontalpodautoscalers',
    version: 'v2',
    toStored: fromV1,
    fromStored: toV1,
  },
  columns: autoscalerColumns(fromV1),
  strategy: {
    defaults: withDefaults,
    validate: (object) => validateAutoscaler(fromV1(object)),
    validateStatusUpdate: (object) => validateAutoscalerStatus(fromV1(object)),
  },
})

function withDefaults(object: AutoscalerV1): AutoscalerV1 {
  const stored = fromV1(object)
  const { minReplicas = 1, targetCPUUtilizationPercentage: percentage } = object.spec
  const utilization = percentage ?? (stored.spec.metrics === undefined ? defaultCpuUtilization : undefined)
  return {
    ...object,
    spec: {
      ...object.spec,
      minReplicas,
      ...(utilization === undefined ? {} : { targetCPUUtilizationPercentage: utilization }),
    },
  }
}
