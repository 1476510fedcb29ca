import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import { addressRangeFormat, fitsFormat } from '../../api/tenant-config/text-format.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { withYamlTexts } from '../../base/json/edit-yaml.ts'
import { toYaml } from '../../base/json/to-yaml.ts'
import { checkConfig } from '../../patches/config/check-config.ts'
import type { LoadedConfig } from './load-config.ts'

const path = ['policies', 'sync', 'endpointAddresses', 'host']

/** Whether a configuration does not specify which addresses belong to the host. */
export function lacksHostAddresses({ policies }: EffectiveConfig): boolean {
  return policies.sync.endpointAddresses.host === undefined
}

/** The configuration with the addresses of the host. Addresses that an operator has written stay. */
export function withHostAddresses(config: EffectiveConfig, ranges: readonly string[]): EffectiveConfig {
  if (!lacksHostAddresses(config)) return config
  const { sync } = config.policies
  const host = ranges.filter((range) => fitsFormat(range, addressRangeFormat))
  return {
    ...config,
    policies: { ...config.policies, sync: { ...sync, endpointAddresses: { ...sync.endpointAddresses, host } } },
  }
}

/** The same, together with the text. A text that cannot be edited is printed anew. */
export function writtenWithHostAddresses({ text, config }: LoadedConfig, ranges: readonly string[]): LoadedConfig {
  if (!lacksHostAddresses(config)) return { text, config }
  const filled = withHostAddresses(config, ranges)
  const edited = editedText(text, filled.policies.sync.endpointAddresses.host ?? [])
  return { text: edited ?? toYaml(filled), config: filled }
}

function editedText(text: string, host: readonly string[]): string | undefined {
  const edited = attempt(() => withYamlTexts(text, path, host))
  const { config } = edited === undefined ? {} : checkConfig(edited, 'tenant.yaml')
  const written = config && effectiveConfig(config).policies.sync.endpointAddresses.host
  return written?.length === host.length ? edited : undefined
}

/** An alias on the path cannot be edited. */
function attempt(edit: () => string): string | undefined {
  try {
    return edit()
  } catch {
    return undefined
  }
}
