import type { EndpointAddress, EndpointSubset } from '../../api/types/core-v1.ts'

/** More addresses are not written into one Endpoints: every node would read them all with each change. */
const mostAddresses = 1_000

export interface Truncated {
  readonly subsets: readonly EndpointSubset[]
  readonly isTruncated: boolean
}

/** At most the allowed number of addresses: ready ones first, and proportionally from each subset. */
export function truncateSubsets(subsets: readonly EndpointSubset[]): Truncated {
  const ready = sum(subsets, 'addresses')
  const notReady = sum(subsets, 'notReadyAddresses')
  if (ready + notReady <= mostAddresses) return { subsets, isTruncated: false }
  const cut =
    ready > mostAddresses
      ? shares(subsets, 'addresses', mostAddresses).map((addresses, index) =>
          withAddresses(subsets[index], addresses, []),
        )
      : shares(subsets, 'notReadyAddresses', mostAddresses - ready).map((addresses, index) =>
          withAddresses(subsets[index], subsets[index]?.addresses ?? [], addresses),
        )
  return { subsets: cut.filter(hasAddresses), isTruncated: true }
}

type AddressList = 'addresses' | 'notReadyAddresses'

function sum(subsets: readonly EndpointSubset[], list: AddressList): number {
  return subsets.reduce((count, subset) => count + (subset[list]?.length ?? 0), 0)
}

function shares(
  subsets: readonly EndpointSubset[],
  list: AddressList,
  most: number,
): readonly (readonly EndpointAddress[])[] {
  const total = sum(subsets, list)
  let left = most
  return subsets.map(({ [list]: addresses = [] }) => {
    const share = Math.min(Math.ceil((addresses.length / total) * most), left)
    left -= share
    return addresses.slice(0, share)
  })
}

function withAddresses(
  subset: EndpointSubset | undefined,
  addresses: readonly EndpointAddress[],
  notReadyAddresses: readonly EndpointAddress[],
): EndpointSubset {
  return {
    ...(addresses.length > 0 && { addresses }),
    ...(notReadyAddresses.length > 0 && { notReadyAddresses }),
    ...(subset?.ports && { ports: subset.ports }),
  }
}

function hasAddresses({ addresses, notReadyAddresses }: EndpointSubset): boolean {
  return addresses !== undefined || notReadyAddresses !== undefined
}
