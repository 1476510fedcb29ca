import { timestamp } from '../../base/clock.ts'
import type { ObjectMeta } from '../object.ts'

/**
 * Metadata of an object whose deletion is requested. The first request sets the time and counts as a change of the
 * desired state; later ones can only bring the time forward. Returns the same metadata if nothing changes.
 */
export function withDeletion(metadata: ObjectMeta, graceSeconds: number, nowMs: number): ObjectMeta {
  return metadata.deletionTimestamp === undefined
    ? firstDeletion(metadata, graceSeconds, nowMs)
    : shortenedDeletion(metadata, metadata.deletionTimestamp, graceSeconds, nowMs)
}

function firstDeletion(metadata: ObjectMeta, graceSeconds: number, nowMs: number): ObjectMeta {
  return {
    ...metadata,
    ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
    deletionTimestamp: timestamp(nowMs + graceSeconds * 1000),
    deletionGracePeriodSeconds: graceSeconds,
  }
}

function shortenedDeletion(
  metadata: ObjectMeta,
  deletionTimestamp: string,
  graceSeconds: number,
  nowMs: number,
): ObjectMeta {
  const before = metadata.deletionGracePeriodSeconds ?? 0
  if (graceSeconds >= before) return metadata
  const requestedMs = Date.parse(deletionTimestamp) - (before - graceSeconds) * 1000
  return {
    ...metadata,
    deletionTimestamp: timestamp(Math.max(requestedMs, nowMs)),
    deletionGracePeriodSeconds: graceSeconds,
  }
}
