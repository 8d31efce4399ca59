import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { HeadraceError, NonRetriable } from '../contract';
import type { Module, StoreAccess } from '../module';
import { type Stores, storesOf } from './context';

/** A request to a function URL (payload format 2.0). */
export type UrlRequest = APIGatewayProxyEventV2;

export interface UrlAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A module's logic behind its URL: the request's body to a JSON answer. */
export type UrlLogic<Declared extends StoreAccess> = (
  body: Uint8Array,
  context: { readonly stores: Stores<Declared>; readonly query: Readonly<Record<string, string | undefined>> },
) => Promise<unknown>;

export function isUrlRequest(event: object): event is UrlRequest {
  return 'requestContext' in event && 'rawPath' in event;
}

/** Answers a URL request: 200 with JSON, 400 for input no retry can mend, 500 otherwise. */
export async function answerUrl(
  module: Module,
  logic: UrlLogic<StoreAccess> | undefined,
  request: UrlRequest,
): Promise<UrlAnswer> {
  if (!logic) return answer(404, { error: `${module.name} has no URL` });
  const body = Buffer.from(request.body ?? '', request.isBase64Encoded ? 'base64' : 'utf8');
  try {
    const query = request.queryStringParameters ?? {};
    return answer(200, await logic(body, { stores: storesOf(module.stores), query }));
  } catch (error) {
    if (error instanceof NonRetriable) return answer(400, { error: error.reason });
    if (error instanceof HeadraceError) return answer(500, { error: error.message, code: error.code });
    throw error;
  }
}

function answer(statusCode: number, value: unknown): UrlAnswer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
