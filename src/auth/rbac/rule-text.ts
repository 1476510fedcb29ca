import { textList } from '../text-list.ts'
import type { RbacRule } from './rule.ts'

/** A rule as messages print it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function ruleText(rule: RbacRule): string {
  const parts = [
    part('APIGroups', rule.apiGroups),
    part('Resources', rule.resources),
    part('NonResourceURLs', rule.nonResourceURLs),
    part('ResourceNames', rule.resourceNames),
    part('Verbs', rule.verbs),
  ]
  return `{${parts.filter((each) => each !== '').join(', ')}}`
}

function part(title: string, texts: readonly string[]): string {
  return texts.length === 0 ? '' : `${title}:${textList(texts)}`
}
