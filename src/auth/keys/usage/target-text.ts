import type { RequestTarget } from '../../../api/access.ts'

/** `management`, `cluster/C`, `project/P/space/S` or `project/P/virtualcluster/V`, as in the URL. */
export function targetText(target: RequestTarget): string {
  switch (target.kind) {
    case 'management':
      return 'management'
    case 'cluster':
      return `cluster/${target.cluster}`
    case 'space':
      return `project/${target.project}/space/${target.space}`
    case 'virtual-cluster':
      return `project/${target.project}/virtualcluster/${target.virtualCluster}`
  }
}
