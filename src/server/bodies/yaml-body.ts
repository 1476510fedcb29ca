import { JsonSyntaxError } from '../../base/json/error.ts'
import { decodeUtf8 } from '../../base/json/utf8.ts'
import { yamlSteps } from '../../base/json/yaml.ts'
import { type Pacing, paced } from '../../base/pace.ts'
import type { Exchange } from '../exchange.ts'
import type { Slices } from '../fairness/slices.ts'
import type { PipelineStep } from '../pipeline.ts'
import { contentTypeOf } from './body.ts'

/** Smaller bodies are parsed in a few milliseconds. */
const shortBytes = 4 * 1024

const yamlTypes: ReadonlySet<string> = new Set(['application/yaml', 'application/apply-patch+yaml'])

/** A pipeline step: parses long YAML in slices, since a word of it takes as long as a thousand characters of JSON. */
export function readYamlIn(slices: Slices): PipelineStep {
  return (exchange) => {
    if (exchange.body.length <= shortBytes || !yamlTypes.has(contentTypeOf(exchange))) return undefined
    return readInTime(exchange, slices.for(exchange.flow?.owner ?? ''))
  }
}

/** The verb reports errors in the text, because it knows what was expected. */
async function readInTime(exchange: Exchange, pacing: Pacing): Promise<undefined> {
  try {
    const parsed = await paced(yamlSteps(decodeUtf8(exchange.body)), pacing)
    exchange.reading = { ...exchange.reading, yaml: () => parsed }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    const refuse = () => {
      throw error
    }
    exchange.reading = { ...exchange.reading, yaml: refuse }
  }
}
