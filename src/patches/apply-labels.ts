import { type AppliedPatch, failedAt, pathNotFound, replaced } from './applied-patch.ts'
import { translateLabels } from './labels.ts'
import { withMarkersOf, withoutMarkers } from './markers.ts'
import { findMatches, type Match } from './path/matches.ts'
import type { Path } from './path/path.ts'
import { isMarkerMap } from './path/reserved.ts'
import type { PatchRun } from './run.ts'

/** Translates the label selector or the map of labels at each match. */
export function applyLabels(object: unknown, path: Path, run: PatchRun): AppliedPatch {
  const matches = findMatches(object, path)
  if (matches.length === 0) return pathNotFound(object)
  const values: unknown[] = []
  for (const match of matches) {
    const translated = translatedAt(match, run)
    if (!translated.ok) return failedAt(object, match, matches.length, { message: translated.message })
    values.push(translated.value)
  }
  return replaced(object, matches, values)
}

function translatedAt(match: Match, run: PatchRun) {
  if (!isMarkerMap(match.path)) return translateLabels(match.value, run.labels, run.direction)
  const labels = { ...run.labels, narrowing: {} }
  const translated = translateLabels(withoutMarkers(match.value), labels, run.direction)
  return translated.ok ? withMarkersOf(match.value, translated.value) : translated
}
