import { isRefusal } from '../../api/error.ts'
import { objectKeyOf } from '../../api/object.ts'
import type { EndpointSlice } from '../../api/types/discovery-v1.ts'
import type { ResourceContext } from '../../registry/context.ts'
import { isNamespaceTerminating } from '../run/refusals.ts'
import type { ControllerWriter } from '../run/writer.ts'
import type { SlicePlan } from './plan-slices.ts'

/** Creates first: an endpoint may briefly be in two slices, but is never in none. */
export async function commitSlices(
  writer: ControllerWriter,
  slices: ResourceContext,
  { create, change, remove }: SlicePlan,
): Promise<void> {
  try {
    for (const slice of create) await writer.create(slices, slice)
  } catch (error) {
    if (isNamespaceTerminating(error)) return
    throw error
  }
  for (const { before, after } of change) await writer.replace(slices, before, after)
  for (const slice of remove) await removeSlice(writer, slices, slice)
}

async function removeSlice(writer: ControllerWriter, slices: ResourceContext, slice: EndpointSlice): Promise<void> {
  try {
    await writer.delete(slices, { ...objectKeyOf(slice), uid: slice.metadata.uid ?? '' })
  } catch (error) {
    if (!isRefusal(error, 404, 409)) throw error
  }
}
