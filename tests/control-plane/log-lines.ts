/** An error that a real component may log, and why it is not a fault of the server. */
interface KnownComplaint {
  readonly text: RegExp
  readonly reason: string
}

const known: readonly KnownComplaint[] = [
  { text: /no cloud provider provided/, reason: 'there is none' },
  {
    text: /the object has been modified; please apply your changes to the latest version and try again/,
    reason: 'a controller writes what another one, or itself a moment ago, has changed meanwhile, and tries again',
  },
  {
    text: /(?:replica_set|job_controller|garbagecollector)\.go.* (?:replicasets\.apps|jobs\.batch|pods) "\S+" not found$/,
    reason: 'it was deleted while a controller looked at it',
  },
  {
    text: /clusterroleaggregation_controller\.go.* User "system:\S+:clusterrole-aggregation-controller" cannot create resource "clusterroles"/,
    reason: 'it applies a role that was deleted meanwhile, which would create it',
  },
  { text: /replica_set\.go.* ReplicaSet has no controller: /, reason: 'a ReplicaSet without a Deployment' },
  {
    text: /event(?:_broadcaster)?\.go.*unable to create new content in namespace \S+ because it is being terminated/,
    reason: 'an Event about something that goes together with its namespace',
  },
  {
    text: /event_broadcaster\.go.*series\.count: Invalid value: "": should be at least 2/,
    reason: 'a scheduler of 1.20 begins a series of Events with one, which Kubernetes refuses too',
  },
]

/** Lines of a Kubernetes log that report an error, or the end of the program, without a known reason. */
export function unknownErrors(log: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => /^[EF]\d{4} /.test(line) || /^(panic|fatal error):/.test(line))
    .filter((line) => !known.some(({ text }) => text.test(line)))
}
