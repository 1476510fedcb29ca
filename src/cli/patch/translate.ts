import { effectiveConfig } from '../../api/tenant-config/defaults.ts'
import type { EffectiveConfig } from '../../api/tenant-config/types.ts'
import { jsonText } from '../../base/json/json-text.ts'
import { UsageError } from '../../base/usage-error.ts'
import { hostNameOf, serviceTranslation } from '../../sync/names/names.ts'
import { virtualIdentityOf } from '../../sync/names/virtual-identity.ts'
import { loadConfig } from '../config/load-config.ts'
import { print } from '../output/print.ts'
import { textTable } from '../output/text-table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TranslateOptions } from './options.ts'
import { readObject } from './read-object.ts'

export async function translate(name: string | undefined, flags: TranslateOptions, terminal: Terminal): Promise<void> {
  if ((name === undefined) === (flags.reverse === undefined)) {
    throw new UsageError('pass either the name of an object, or --reverse with an object of the host')
  }
  const shown =
    name === undefined
      ? await reverse(flags.reverse ?? '-', terminal)
      : forward(name, flags, await configOf(flags, terminal))
  print(terminal, printed(shown, flags.output))
}

interface Translation {
  readonly rows: readonly (readonly [string, string])[]
  readonly json: unknown
  readonly name: string
}

function forward(name: string, flags: TranslateOptions, config: EffectiveConfig): Translation {
  const virtual = { namespace: flags.namespace, name }
  const host = hostNameOf(flags, config, virtual)
  if (host === undefined)
    throw new Error(
      `the namespace ${flags.namespace} is not mapped to a namespace of the host: add it to sync.toHost.namespaces in tenant.yaml`,
    )
  const address = `${name}.${flags.namespace}.svc.${config.networking.clusterDomain}`
  const service = serviceTranslation(flags, config)(address)
  const services = service.ok ? { virtual: address, host: service.address } : undefined
  return {
    rows: [
      ['virtual', `${virtual.namespace}/${virtual.name}`],
      ['host', `${host.namespace}/${host.name}`],
      ...(services
        ? ([
            ['as a service', services.virtual],
            ['', services.host],
          ] as const)
        : []),
    ],
    json: { tenant: flags.tenant, virtual, host, ...(services && { service: services }) },
    name: host.name,
  }
}

async function reverse(file: string, terminal: Terminal): Promise<Translation> {
  const object = await readObject(file, terminal)
  const identity = virtualIdentityOf(object)
  if (!identity.ok) throw new Error(identity.message)
  const { tenant, kind, virtual } = identity
  const host = { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }
  return {
    rows: [
      ['host', `${host.namespace}/${host.name}`],
      ['tenant', tenant],
      ['virtual', `${virtual.namespace}/${virtual.name}`],
      ['kind', kind],
    ],
    json: { tenant, kind, virtual, host },
    name: virtual.name,
  }
}

async function configOf({ file }: TranslateOptions, terminal: Terminal): Promise<EffectiveConfig> {
  return file === undefined ? effectiveConfig({}) : await loadConfig(file, terminal)
}

function printed({ rows, json, name }: Translation, output: TranslateOptions['output']): string {
  switch (output) {
    case 'json':
      return jsonText(json)
    case 'name':
      return `${name}\n`
    case 'text':
      return textTable(rows)
  }
}
