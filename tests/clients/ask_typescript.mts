// A client that openapi-typescript generates, compiled strictly: address and key are the arguments.
import createClient from "openapi-fetch";
import type { paths } from "./schema.d.ts";

const [address, key] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${key}` } });

const row = JSON.stringify({ id: "moon/1", text: "We choose to go to the moon in this decade." });
const added = await client.POST("/v1/documents", {
  body: row,
  bodySerializer: (body) => body,
  headers: { "Content-Type": "application/x-ndjson" },
});
const recommended = await client.POST("/v1/recommend", { body: { left: "He told the crowd why we go to the moon." } });
const searched = await client.GET("/v1/search", { params: { query: { q: "the moon", limit: 2 } } });
const listed = await client.GET("/v1/documents", { params: { query: { limit: 1 } } });
const got = await client.GET("/v1/documents/{document_id}", { params: { path: { document_id: "moon/1" } } });
const cohere = await client.POST("/v2/rerank", {
  body: { query: "the moon", documents: ["Ask not.", "We choose to go to the moon."] },
});
const tei = await client.POST("/rerank", { body: { query: "the moon", texts: ["Ask not."] } });
const wrong = await client.POST("/v1/recommend", { body: {} });
console.log(
  JSON.stringify({
    added: added.data?.report.added,
    recommended: recommended.data?.recommendations[0].document.id,
    searched: searched.data?.recommendations.length,
    listed: listed.data?.documents[0].id,
    got: got.data?.paragraphs[0].text,
    cohere: cohere.data?.results[0].index,
    tei: tei.response.status,
    wrong: wrong.error && "error" in wrong.error ? wrong.error.error.code : null,
  }),
);
