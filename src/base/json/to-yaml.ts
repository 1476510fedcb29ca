import { Document, isScalar, Scalar, visit } from 'yaml'
import { isAmbiguous } from './yaml-scalar.ts'

/**
 * Prints JSON values as YAML the way Kubernetes does: members sorted, lists flush with their key, long lines left whole,
 * double quotes around what would otherwise be read as a number, a boolean or null.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, { aliasDuplicateObjects: false, sortMapEntries: true })
  visit(document, {
    Scalar: (_key, node) => {
      if (isScalar(node) && typeof node.value === 'string' && mustBeQuoted(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  return document.toString({ lineWidth: 0, indentSeq: false, singleQuote: true })
}

/** `<<` without quotes would merge what stands behind it into the map. */
function mustBeQuoted(text: string): boolean {
  return text === '<<' || isAmbiguous(text)
}
