/** k8s.io.api.node.v1 */
export const nodeV1 = `
Overhead
  1 podFixed: map resource.Quantity (go v1.ResourceList)

RuntimeClass
  1 metadata: meta.ObjectMeta
  2 handler: string! (required)
  3 overhead: Overhead
  4 scheduling: Scheduling

RuntimeClassList
  1 metadata: meta.ListMeta
  2 items: RuntimeClass[]!

Scheduling
  1 nodeSelector: map string (atomic)
  2 tolerations: core.Toleration[]
`
