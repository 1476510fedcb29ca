/** Descriptions of what people look up in Deployments, StatefulSets, DaemonSets, Jobs and disruption budgets. */
export const workloadTexts: Readonly<Record<string, string>> = {
  'apps.Deployment':
    'Keeps a number of identical pods running, and replaces them step by step when their template changes.',
  'apps.Deployment.spec': 'Which pods are wanted, how many, and how they are replaced.',
  'apps.Deployment.status': 'How many pods there are, and how far a rollout is. Set by the controller.',
  'apps.DeploymentSpec.selector':
    'Labels by which the deployment knows its pods. The template has to carry them, and they can never be changed.',
  'apps.DeploymentSpec.template': 'The pods that are made. A change of it starts a rollout.',
  'apps.DeploymentSpec.strategy': 'How pods of an old template are replaced by pods of a new one.',
  'apps.DeploymentStrategy.rollingUpdate':
    'How many pods may be missing or extra meanwhile. For `RollingUpdate` alone.',
  'apps.RollingUpdateDeployment.maxUnavailable':
    'How many of the wanted pods may be missing during a rollout: a number, or a percentage rounded down. 25% by default. It and maxSurge are not both zero.',
  'apps.RollingUpdateDeployment.maxSurge':
    'How many pods there may be beyond those wanted during a rollout: a number, or a percentage rounded up. 25% by default.',

  'apps.ReplicaSet': 'Keeps a number of identical pods running. Usually made and owned by a Deployment.',
  'apps.ReplicaSet.spec': 'Which pods are wanted, and how many.',
  'apps.ReplicaSet.status': 'How many pods there are. Set by the controller.',
  'apps.ReplicaSetSpec.selector': 'Labels by which the replica set knows its pods. They can never be changed.',
  'apps.ReplicaSetSpec.template': 'The pods that are made. A change of it concerns new pods alone.',

  'apps.StatefulSet': 'Keeps numbered pods running that have a name, and volumes if they ask for them, of their own.',
  'apps.StatefulSet.spec': 'Which pods are wanted, how many, and how they are replaced.',
  'apps.StatefulSet.status': 'How many pods there are, and at which revision. Set by the controller.',
  'apps.StatefulSetSpec.selector': 'Labels by which the set knows its pods. They can never be changed.',
  'apps.StatefulSetSpec.template': 'The pods that are made. Each gets the name of the set and its number.',
  'apps.StatefulSetSpec.updateStrategy': 'How pods are replaced when the template changes.',
  'apps.StatefulSetSpec.persistentVolumeClaimRetentionPolicy':
    'Whether claims made from volumeClaimTemplates are kept when the set is deleted or made smaller. They are by default.',
  'apps.StatefulSetSpec.ordinals': 'With which number the first pod begins. 0 by default.',
  'apps.StatefulSetUpdateStrategy.rollingUpdate':
    'Which pods are replaced, and how many at once. For `RollingUpdate` alone.',
  'apps.RollingUpdateStatefulSetStrategy.maxUnavailable':
    'How many pods may be missing while others are replaced: a number, or a percentage rounded up. 1 by default.',

  'apps.DaemonSet': 'Keeps one pod running on every node that fits.',
  'apps.DaemonSet.spec': 'Which pod is wanted, and how it is replaced.',
  'apps.DaemonSet.status': 'On how many nodes the pod is wanted and runs. Set by the controller.',
  'apps.DaemonSetSpec.selector': 'Labels by which the set knows its pods. They can never be changed.',
  'apps.DaemonSetSpec.template': 'The pod that is made, on every node that its node selector and affinity fit.',
  'apps.DaemonSetSpec.updateStrategy': 'How pods are replaced when the template changes.',
  'apps.DaemonSetUpdateStrategy.rollingUpdate':
    'How many pods may be missing or extra meanwhile. For `RollingUpdate` alone.',
  'apps.RollingUpdateDaemonSet.maxUnavailable':
    'On how many nodes the pod may be missing during an update: a number, or a percentage rounded up. 1 by default.',
  'apps.RollingUpdateDaemonSet.maxSurge':
    'On how many nodes a new pod may run beside the old one during an update: a number, or a percentage rounded up. 0 by default.',

  'batch.Job': 'Runs pods until enough of them have succeeded.',
  'batch.Job.spec': 'Which pods are run, how often, and what counts as success.',
  'batch.Job.status': 'How many pods run, succeeded and failed. Set by the controller.',
  'batch.JobSpec.selector':
    'Labels by which the job knows its pods. The server makes them up unless manualSelector is set.',
  'batch.JobSpec.template': 'The pods that are run. Their restartPolicy is `Never` or `OnFailure`.',
  'batch.JobSpec.podFailurePolicy':
    'What the failure of a pod means, by its exit code or conditions, instead of counting it.',
  'batch.JobSpec.successPolicy': 'When an indexed job has succeeded although not all indexes have.',
  'batch.CronJob': 'Makes a Job at the times of a schedule.',
  'batch.CronJob.spec': 'When a job is made, and which one.',
  'batch.CronJob.status': 'Which jobs run, and when the last one was made. Set by the controller.',
  'batch.CronJobSpec.jobTemplate': 'The job that is made at each of the times.',

  'core.PodTemplate.template': 'The pods that could be made from the template.',
  'core.ReplicationControllerSpec.template': 'The pods that are made. A change of it concerns new pods alone.',

  'policy.PodDisruptionBudgetSpec.selector':
    'Labels of the pods that are protected. An empty selector means all pods of the namespace.',
  'policy.PodDisruptionBudgetSpec.minAvailable':
    'How many of the pods have to stay while one is evicted: a number, or a percentage rounded up. Excludes maxUnavailable.',
  'policy.PodDisruptionBudgetSpec.maxUnavailable':
    'How many of the pods may be missing after an eviction: a number, or a percentage rounded up. Excludes minAvailable.',
}
