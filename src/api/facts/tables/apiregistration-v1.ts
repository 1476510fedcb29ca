/** k8s.io.kube_aggregator.pkg.apis.apiregistration.v1 */
export const apiregistrationV1 = `
APIService
  1 metadata: meta.ObjectMeta
  2 spec: APIServiceSpec!
  3 status: APIServiceStatus!

APIServiceCondition
  1 type: string! (required, go v1.APIServiceConditionType)
  2 status: string! (required, go v1.ConditionStatus)
  3 lastTransitionTime: meta.Time!
  4 reason: string
  5 message: string

APIServiceList
  1 metadata: meta.ListMeta
  2 items: APIService[]!

APIServiceSpec
  1 service: ServiceReference
  2 group: string
  3 version: string
  4 insecureSkipTLSVerify: bool
  5 caBundle: bytes
  7 groupPriorityMinimum: int32! (required)
  8 versionPriority: int32! (required)

APIServiceStatus
  1 conditions: APIServiceCondition[] (merged by type)

ServiceReference
  1 namespace: string
  2 name: string
  3 port: int32?
`
