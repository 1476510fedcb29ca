import { coreTexts } from './texts/core.ts'
import { eventTexts } from './texts/event.ts'
import { podTexts } from './texts/pod.ts'
import { rbacTexts } from './texts/rbac.ts'
import { serviceTexts } from './texts/service.ts'

let texts: ReadonlyMap<string, string> | undefined

/** What `kubectl explain` says about `package.Message` or `package.Message.member`. */
export function description(path: string): string | undefined {
  texts ??= new Map(allTexts())
  return texts.get(path)
}

/** Every path that has a text, with the text. */
export function allTexts(): readonly (readonly [string, string])[] {
  return [coreTexts, serviceTexts, rbacTexts, eventTexts, podTexts].flatMap((each) => Object.entries(each))
}
