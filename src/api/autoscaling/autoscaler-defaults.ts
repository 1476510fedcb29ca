import type { HorizontalPodAutoscaler, HPAScalingRules, MetricSpec } from '../types/autoscaling-v2.ts'

/** In percent of the requested CPU. */
export const defaultCpuUtilization = 80

const cpuMetric: MetricSpec = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: defaultCpuUtilization } },
}

const scaleUp: HPAScalingRules = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}

const scaleDown: HPAScalingRules = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
}

export function withAutoscalerDefaults(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const { spec } = object
  const { minReplicas = 1, metrics = [cpuMetric], behavior } = spec
  return {
    ...object,
    spec: {
      ...spec,
      minReplicas,
      metrics,
      ...(behavior && {
        behavior: {
          scaleUp: { ...scaleUp, ...behavior.scaleUp },
          scaleDown: { ...scaleDown, ...behavior.scaleDown },
        },
      }),
    },
  }
}
