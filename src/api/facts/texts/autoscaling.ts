/** Descriptions of frequently used fields of HorizontalPodAutoscalers. */
export const autoscalingTexts: Readonly<Record<string, string>> = {
  'autoscaling-v1.HorizontalPodAutoscalerSpec.scaleTargetRef': 'The object to scale, such as a Deployment.',
  'autoscaling-v2.HorizontalPodAutoscalerSpec.scaleTargetRef': 'The object to scale, such as a Deployment.',
  'autoscaling-v2.HorizontalPodAutoscalerSpec.behavior': 'How fast the number of pods may rise and fall.',
  'autoscaling-v2.HorizontalPodAutoscalerBehavior.scaleUp':
    'How fast the number of pods may rise. By default, every 15 seconds it may grow by four pods or double, whichever is more.',
  'autoscaling-v2.HorizontalPodAutoscalerBehavior.scaleDown':
    'How fast the number of pods may fall. By default, it falls to the highest number that was recommended in the last five minutes.',
  'autoscaling-v2.MetricIdentifier.selector': 'Labels that distinguish the metric from others with the same name.',
  'autoscaling-v2.ContainerResourceMetricSource.target': 'The target value.',
  'autoscaling-v2.ExternalMetricSource.target': 'The target value.',
  'autoscaling-v2.ObjectMetricSource.target': 'The target value.',
  'autoscaling-v2.PodsMetricSource.target': 'The target value.',
  'autoscaling-v2.ResourceMetricSource.target': 'The target value.',
  'autoscaling-v2.ContainerResourceMetricStatus.current': 'The most recently measured value.',
  'autoscaling-v2.ExternalMetricStatus.current': 'The most recently measured value.',
  'autoscaling-v2.ObjectMetricStatus.current': 'The most recently measured value.',
  'autoscaling-v2.PodsMetricStatus.current': 'The most recently measured value.',
  'autoscaling-v2.ResourceMetricStatus.current': 'The most recently measured value.',
  'autoscaling-v2.ObjectMetricSource.describedObject': 'The object that the metric describes.',
  'autoscaling-v2.ObjectMetricStatus.describedObject': 'The object that the metric describes.',
}
