import { autoscalingTexts } from './texts/autoscaling.ts'
import { containerTexts } from './texts/container.ts'
import { coreTexts } from './texts/core.ts'
import { eventTexts } from './texts/event.ts'
import { extensionTexts } from './texts/extension.ts'
import { jsonSchemaTexts } from './texts/json-schema.ts'
import { memberTexts } from './texts/members.ts'
import { placementTexts } from './texts/placement.ts'
import { podTexts } from './texts/pod.ts'
import { rbacTexts } from './texts/rbac.ts'
import { serviceTexts } from './texts/service.ts'
import { trafficTexts } from './texts/traffic.ts'
import { volumeSourceTexts } from './texts/volume-sources.ts'
import { wantedAndSeenTexts } from './texts/wanted-and-seen.ts'
import { workloadTexts } from './texts/workload.ts'

const allTables = [
  coreTexts,
  serviceTexts,
  rbacTexts,
  eventTexts,
  podTexts,
  containerTexts,
  placementTexts,
  workloadTexts,
  autoscalingTexts,
  trafficTexts,
  extensionTexts,
  jsonSchemaTexts,
  wantedAndSeenTexts,
  volumeSourceTexts,
  memberTexts,
]

let texts: ReadonlyMap<string, string> | undefined

/** What `kubectl explain` shows for `package.Message` or `package.Message.member`. */
export function description(path: string): string | undefined {
  texts ??= new Map(allTexts())
  return texts.get(path)
}

/** Every path with its text. */
export function allTexts(): readonly (readonly [string, string])[] {
  return allTables.flatMap((each) => Object.entries(each))
}
