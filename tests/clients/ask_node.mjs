// Cohere's own client and Vercel's AI SDK: the key is the argument.
import { CohereClient, CohereClientV2 } from "cohere-ai";
import { rerank } from "ai";
import { createCohere } from "@ai-sdk/cohere";

const [key] = process.argv.slice(2);
const addresses = JSON.parse(process.env.ADDRESSES);
const query = process.env.QUERY;
const documents = JSON.parse(process.env.TEXTS);
const tell = (client, found) => console.log(JSON.stringify({ client, found }));

const second = new CohereClientV2({ token: key, environment: addresses["cohere-ai CohereClientV2"] });
const v2 = await second.rerank({ model: "rostrum", query, documents, topN: 2 });
tell("cohere-ai CohereClientV2", v2.results.map((each) => [each.index, each.relevanceScore]));

const first = new CohereClient({ token: key, environment: addresses["cohere-ai CohereClient"] });
const v1 = await first.rerank({ model: "rostrum", query, documents, topN: 2 });
tell("cohere-ai CohereClient", v1.results.map((each) => [each.index, each.relevanceScore]));

const cohere = createCohere({ apiKey: key, baseURL: addresses["@ai-sdk/cohere"] });
const { ranking } = await rerank({ model: cohere.reranking("rostrum"), query, documents, topN: 2 });
tell("@ai-sdk/cohere", ranking.map((each) => [each.originalIndex, each.score]));
