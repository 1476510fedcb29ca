import { Document, Scalar, visit } from 'yaml'
import { atOnce } from '../steps.ts'
import { tooDeep } from './limits.ts'
import { tooMuchYaml } from './yaml.ts'
import { composeYaml, isBlankDocument, ownYaml } from './yaml-compose.ts'

/** Replaces the list of texts at a path and leaves the rest of the YAML text as written, including comments. */
export function withYamlTexts(text: string, path: readonly string[], texts: readonly string[]): string {
  const [first] = atOnce(composeYaml(text, ownYaml, { tooDeepAt: tooDeep, tooMuchAt: () => tooMuchYaml(ownYaml) }))
  const document: Document = first === undefined || isBlankDocument(first) ? new Document({}) : first
  const list = document.createNode(texts)
  visit(list, {
    Scalar: (_key, node) => {
      node.type = Scalar.QUOTE_DOUBLE
    },
  })
  document.setIn(path, list)
  return document.toString({ lineWidth: 0 })
}
