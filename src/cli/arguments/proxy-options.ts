import { type Command, InvalidArgumentError, Option } from 'commander'
import { networkProblem } from '../../base/network/networks.ts'
import type { ProxySettings } from '../../server/proxies/trusted-proxies.ts'

export interface ProxyFlags {
  readonly trustedProxies?: readonly string[]
  readonly forwardedHeader: ProxySettings['header']
}

/** Which proxies in front of the platform report where a request came from. */
export function addProxyOptions(command: Command): Command {
  const headers: readonly ProxySettings['header'][] = ['x-forwarded-for', 'forwarded']
  return command
    .option(
      '--trusted-proxies <networks>',
      'addresses or networks of reverse proxies in front of the platform, separated by commas: limits and the audit log then use the addresses of the clients behind them (default: none is trusted)',
      trustedProxiesArgument,
    )
    .addOption(
      new Option('--forwarded-header <name>', 'the header in which they name the client')
        .choices(headers)
        .default('x-forwarded-for'),
    )
}

export function trustedProxiesArgument(text: string): readonly string[] {
  const networks = text.split(',').map((each) => each.trim())
  const problems = networks.flatMap((each) => networkProblem(each) ?? [])
  if (problems.length > 0) throw new InvalidArgumentError(`${problems.join('; ')}.`)
  return networks
}

/** Undefined: no proxy is trusted. */
export function proxySettings({ trustedProxies: networks, forwardedHeader }: ProxyFlags): ProxySettings | undefined {
  return networks === undefined ? undefined : { networks, header: forwardedHeader }
}
