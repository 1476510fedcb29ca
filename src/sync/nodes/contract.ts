/** How Pods of the tenant use a node. `copy`: one runs there. `virtual`: only Pods of the virtual cluster name it. */
export type UseOfNode = 'copy' | 'virtual' | 'none' | 'unknown'
