import { configError } from '@mnemark/provider-kit'

/** Partition, direction and number: `us-east-1`, `us-gov-west-1`, `eusc-de-east-1`. It becomes a part of a host name. */
const REGION = /^[a-z]{2,5}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/
/** Regional, FIPS and private (VPC) endpoints of the service. */
const AWS_HOST = /(?:^|\.)bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.(?:vpce\.)?(?:amazonaws\.com(?:\.cn)?|api\.aws|amazonaws\.eu)$/

const ARN = /^arn:aws[\w-]*:bedrock:([a-z0-9-]*):\d*:/

export const isRegion = (text: string): boolean => REGION.test(text)

/** The region of an AWS endpoint; undefined for other hosts. */
export const regionOfHost = (hostname: string): string | undefined => AWS_HOST.exec(hostname)?.[1]

/** The region in the ARN of a model; undefined for other ids. Throws `config` for an ARN of something else. */
export function regionOfModel(provider: string, id: string): string | undefined {
  const region = ARN.exec(id)?.[1]
  if (region === undefined && id.startsWith('arn:'))
    throw configError(provider, 'the ARN is not that of a Bedrock model', 'Copy it from the Bedrock console.')
  return region === '' ? undefined : region
}

/**
 * The region from the settings: the option, the ARN of the model, or the host. Undefined if none names one; then the first
 * request determines it. Throws `config` for an invalid region, and if two differ, since the service would refuse the request.
 */
export function regionOf(
  provider: string,
  named: Readonly<Record<'region' | 'model' | 'baseUrl', string | undefined>>,
): string | undefined {
  const entries = Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const [first] = entries
  if (first === undefined) return undefined
  const [name, region] = first
  if (!isRegion(region)) throw configError(provider, `${name} names no region of AWS`, 'Use one such as us-east-1.')
  const other = entries.find(([, each]) => each !== region)
  if (other === undefined) return region
  throw configError(
    provider,
    `${name} names the region ${region} and ${other[0]} names ${other[1]}`,
    'A model is called in its own region: leave one of them out, or make them equal.',
  )
}
