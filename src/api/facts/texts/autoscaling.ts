/** Descriptions of what people look up in HorizontalPodAutoscalers. */
export const autoscalingTexts: Readonly<Record<string, string>> = {
  'autoscaling-v1.HorizontalPodAutoscalerSpec.scaleTargetRef':
    'The object whose number of pods is set, such as a Deployment.',
  'autoscaling-v2.HorizontalPodAutoscalerSpec.scaleTargetRef':
    'The object whose number of pods is set, such as a Deployment.',
  'autoscaling-v2.HorizontalPodAutoscalerSpec.behavior': 'How fast the number of pods may rise and fall.',
  'autoscaling-v2.HorizontalPodAutoscalerBehavior.scaleUp':
    'How fast the number of pods may rise. By default by four pods or to the double in 15 seconds, whichever is more.',
  'autoscaling-v2.HorizontalPodAutoscalerBehavior.scaleDown':
    'How fast the number of pods may fall. By default as far as has been right for five minutes.',
  'autoscaling-v2.MetricIdentifier.selector': 'Labels that tell the metric apart from others of the same name.',
  'autoscaling-v2.ContainerResourceMetricSource.target': 'The value that is aimed at.',
  'autoscaling-v2.ExternalMetricSource.target': 'The value that is aimed at.',
  'autoscaling-v2.ObjectMetricSource.target': 'The value that is aimed at.',
  'autoscaling-v2.PodsMetricSource.target': 'The value that is aimed at.',
  'autoscaling-v2.ResourceMetricSource.target': 'The value that is aimed at.',
  'autoscaling-v2.ContainerResourceMetricStatus.current': 'The value that was last measured.',
  'autoscaling-v2.ExternalMetricStatus.current': 'The value that was last measured.',
  'autoscaling-v2.ObjectMetricStatus.current': 'The value that was last measured.',
  'autoscaling-v2.PodsMetricStatus.current': 'The value that was last measured.',
  'autoscaling-v2.ResourceMetricStatus.current': 'The value that was last measured.',
  'autoscaling-v2.ObjectMetricSource.describedObject': 'The object that the metric is about.',
  'autoscaling-v2.ObjectMetricStatus.describedObject': 'The object that the metric is about.',
}
