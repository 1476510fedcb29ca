/** Descriptions of frequently used fields of Deployments, StatefulSets, DaemonSets, Jobs and disruption budgets. */
export const workloadTexts: Readonly<Record<string, string>> = {
  'apps.Deployment':
    'Keeps a number of identical pods running, and replaces them gradually when their template changes.',
  'apps.Deployment.spec': 'Template and desired number of the pods, and how they are replaced.',
  'apps.Deployment.status': 'Current number of pods, and progress of the rollout. Set by the controller.',
  'apps.DeploymentSpec.selector':
    'Labels that identify the pods of the deployment. The template must have them. Immutable.',
  'apps.DeploymentSpec.template': 'Template of the pods. A change to it starts a rollout.',
  'apps.DeploymentSpec.strategy': 'How pods of an old template are replaced by pods of a new one.',
  'apps.DeploymentStrategy.rollingUpdate':
    'How many pods may be missing or surplus during a rollout. Only for `RollingUpdate`.',
  'apps.RollingUpdateDeployment.maxUnavailable':
    'How many of the desired pods may be unavailable during a rollout: a number, or a percentage that is rounded down. 25% by default. Must not be zero if maxSurge is zero.',
  'apps.RollingUpdateDeployment.maxSurge':
    'How many pods may exist in excess of the desired number during a rollout: a number, or a percentage that is rounded up. 25% by default.',

  'apps.ReplicaSet': 'Keeps a number of identical pods running. Usually created and owned by a Deployment.',
  'apps.ReplicaSet.spec': 'Template and desired number of the pods.',
  'apps.ReplicaSet.status': 'Current number of pods. Set by the controller.',
  'apps.ReplicaSetSpec.selector': 'Labels that identify the pods of the replica set. Immutable.',
  'apps.ReplicaSetSpec.template': 'Template of the pods. A change to it affects only new pods.',

  'apps.StatefulSet': 'Keeps numbered pods running, each with a stable name and, if requested, its own volumes.',
  'apps.StatefulSet.spec': 'Template and desired number of the pods, and how they are replaced.',
  'apps.StatefulSet.status': 'Current number and revision of the pods. Set by the controller.',
  'apps.StatefulSetSpec.selector': 'Labels that identify the pods of the set. Immutable.',
  'apps.StatefulSetSpec.template':
    'Template of the pods. The name of each pod is the name of the set followed by its number.',
  'apps.StatefulSetSpec.updateStrategy': 'How pods are replaced when the template changes.',
  'apps.StatefulSetSpec.persistentVolumeClaimRetentionPolicy':
    'Whether claims created from volumeClaimTemplates are kept when the set is deleted or scaled down. They are kept by default.',
  'apps.StatefulSetSpec.ordinals': 'The number of the first pod. 0 by default.',
  'apps.StatefulSetUpdateStrategy.rollingUpdate':
    'Which pods are replaced, and how many at the same time. Only for `RollingUpdate`.',
  'apps.RollingUpdateStatefulSetStrategy.maxUnavailable':
    'How many pods may be unavailable during an update: a number, or a percentage that is rounded up. 1 by default.',

  'apps.DaemonSet': 'Keeps one pod running on every node that matches.',
  'apps.DaemonSet.spec': 'Template of the pods, and how they are replaced.',
  'apps.DaemonSet.status': 'Number of nodes on which the pod should run and does run. Set by the controller.',
  'apps.DaemonSetSpec.selector': 'Labels that identify the pods of the set. Immutable.',
  'apps.DaemonSetSpec.template':
    'Template of the pods. One pod runs on every node that matches its node selector and affinity.',
  'apps.DaemonSetSpec.updateStrategy': 'How pods are replaced when the template changes.',
  'apps.DaemonSetUpdateStrategy.rollingUpdate':
    'How many pods may be missing or surplus during an update. Only for `RollingUpdate`.',
  'apps.RollingUpdateDaemonSet.maxUnavailable':
    'On how many nodes the pod may be unavailable during an update: a number, or a percentage that is rounded up. 1 by default.',
  'apps.RollingUpdateDaemonSet.maxSurge':
    'On how many nodes a new pod may run alongside the old one during an update: a number, or a percentage that is rounded up. 0 by default.',

  'batch.Job': 'Runs pods until enough of them have succeeded.',
  'batch.Job.spec': 'Template of the pods, how many must succeed, and how failures are handled.',
  'batch.Job.status': 'Number of running, succeeded and failed pods. Set by the controller.',
  'batch.JobSpec.selector':
    'Labels that identify the pods of the job. The server generates them unless manualSelector is true.',
  'batch.JobSpec.template': 'Template of the pods. Its restartPolicy must be `Never` or `OnFailure`.',
  'batch.JobSpec.podFailurePolicy':
    'Rules for the failure of a pod, by its exit code or conditions. Failures that no rule matches are counted.',
  'batch.JobSpec.successPolicy': 'When an indexed job counts as succeeded before all of its indexes have succeeded.',
  'batch.CronJob': 'Creates Jobs on a schedule.',
  'batch.CronJob.spec': 'The schedule, and the template of the Jobs.',
  'batch.CronJob.status': 'The running jobs, and when the last one was scheduled. Set by the controller.',
  'batch.CronJobSpec.jobTemplate': 'Template of the Jobs.',

  'core.PodTemplate.template': 'The template that pods can be created from.',
  'core.ReplicationControllerSpec.template': 'Template of the pods. A change to it affects only new pods.',

  'policy.PodDisruptionBudgetSpec.selector':
    'Selects the pods to protect. An empty selector selects all pods in the namespace.',
  'policy.PodDisruptionBudgetSpec.minAvailable':
    'How many of the pods must remain available after an eviction: a number, or a percentage that is rounded up. Cannot be combined with maxUnavailable.',
  'policy.PodDisruptionBudgetSpec.maxUnavailable':
    'How many of the pods may be unavailable after an eviction: a number, or a percentage that is rounded up. Cannot be combined with minAvailable.',
}
