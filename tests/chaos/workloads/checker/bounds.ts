import type { Seen } from './history.ts'

/** What one generation of a workload allows. */
export interface Bounds {
  readonly generation: number
  readonly replicas: number
  /** The maximum number of Pods that are not ending. */
  readonly most: number
  /** The minimum number of ready Pods, once there were as many. */
  readonly least: number
}

export function boundsOf({ kind, metadata, spec }: Seen): Bounds {
  const { generation = 0 } = metadata
  const replicas = spec?.replicas ?? 1
  if (kind === 'StatefulSet') return { generation, replicas, most: replicas, least: replicas - 1 }
  if (spec?.strategy?.type === 'Recreate') return { generation, replicas, most: replicas, least: 0 }
  const { maxSurge = '25%', maxUnavailable = '25%' } = spec?.strategy?.rollingUpdate ?? {}
  const surge = amountOf(maxSurge, replicas, Math.ceil)
  const unavailable = amountOf(maxUnavailable, replicas, Math.floor)
  const away = surge === 0 && unavailable === 0 ? 1 : unavailable
  return { generation, replicas, most: replicas + surge, least: replicas - away }
}

function amountOf(value: number | string, of: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseInt(value, 10) * of) / 100)
}
